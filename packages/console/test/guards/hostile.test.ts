// Every text field of every operation takes every text of the corpus: it is refused with a 400, or kept and answered as
// it was. Nothing answers 5xx, and no line of the log is anybody else's.
import { Agent, request } from 'node:http'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import { fillExample } from '@rookery/contract/examples.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group, Operation } from '@rookery/contract/operation.ts'
import type { Outbound } from '@rookery/kernel/world.ts'
import { everyText, FORGED, harmed, hostileTexts, textsIn, type Hostile } from '../hostile-fields.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../test-console.ts'
import { plantSeed, type Seed } from '../seed.ts'

const operations = Object.values<Group>(groups).flatMap((group) => Object.values(group))

const titles = operations.map(({ title }) => title)

/** Names of the parameters that take a text of any kind. */
const textFields = ({ params }: Operation): string[] =>
  Object.entries(params.properties as Record<string, { type?: string; format?: string; anyOf?: unknown }>)
    .filter(([, { type, format, anyOf }]) => (type === 'string' || anyOf) && format !== 'binary')
    .map(([name]) => name)

const agent = new Agent({ keepAlive: true, maxSockets: 4 })
afterAll(() => agent.destroy())

const ENCODINGS = ['form', 'JSON', 'multipart', 'query'] as const
type Encoding = (typeof ENCODINGS)[number]

const percent = (bytes: Buffer): string => bytes.toString('hex').replace(/../g, '%$&')

/** The parameters as a body, in bytes: what is no UTF-8 is sent as it is. */
function encode(
  params: readonly (readonly [string, Buffer])[],
  as: Encoding,
): { type?: string; query?: string; body: Buffer } {
  switch (as) {
    case 'query':
      return {
        query: params.map(([name, value]) => `${name}=${percent(value)}`).join('&'),
        body: Buffer.alloc(0),
      }
    case 'form':
      return {
        type: 'application/x-www-form-urlencoded',
        body: Buffer.from(params.map(([name, value]) => `${name}=${percent(value)}`).join('&')),
      }
    case 'JSON': {
      const pieces = params.map(([name, value]) => {
        const text = value.toString('latin1')
        // Bytes that JSON must escape are escaped, all others stand as they are.
        return Buffer.from(
          `${JSON.stringify(name)}:"${text.replace(/["\\]|[\u0000-\u001f]/g, escaped)}"`,
          'latin1',
        )
      })
      return {
        type: 'application/json',
        body: Buffer.concat([Buffer.from('{'), joined(pieces), Buffer.from('}')]),
      }
    }
    case 'multipart':
      return {
        type: 'multipart/form-data; boundary=hostile-boundary',
        body: Buffer.concat([
          ...params.flatMap(([name, value]) => [
            Buffer.from(`--hostile-boundary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
            value,
            Buffer.from('\r\n'),
          ]),
          Buffer.from('--hostile-boundary--\r\n'),
        ]),
      }
  }
}
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const joined = (pieces: readonly Buffer[]): Buffer =>
  Buffer.concat(pieces.flatMap((piece, at) => (at === 0 ? [piece] : [Buffer.from(','), piece])))

function send(
  rookery: TestConsole,
  { method, path }: Operation,
  params: readonly (readonly [string, Buffer])[],
  as: Encoding,
): Promise<{ status: number; text: string }> {
  const { type, query, body } = encode(params, as)
  return new Promise((resolve, reject) => {
    const sent = request(
      `${rookery.console.apiUrl}/api/v1${path}${query === undefined ? '' : `?${query}`}`,
      {
        agent,
        method,
        headers: {
          'X-Auth-Token': ADMIN,
          'Content-Length': body.length,
          ...(type !== undefined && { 'Content-Type': type }),
        },
      },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** How long a text it takes. */
const mostOf = ({ params }: Operation, field: string): number =>
  (params.properties as Record<string, { maxLength?: number; type?: string; anyOf?: unknown }>)[field]
    ?.maxLength ?? Infinity

/** Deriving a key from a password takes its time, on purpose. */
const isSlow = ({ params }: Operation): boolean => 'password' in (params.properties as object)

/** What an answer has, and what it should have. One operation takes a text apart into lines, and quotes them as JSON in its reasons. */
function kept(
  { path }: Operation,
  answer: unknown,
  sent: ReadonlyMap<string, string>,
): [Iterable<string>, ReadonlyMap<string, string>] {
  if (path !== '/ignore_rules/check') return [textsIn(answer), sent]
  const { wrong } = answer as { readonly wrong: readonly { readonly line: string }[] }
  const firstLines = Array.from(sent, ([mark, text]) => [mark, text.split(/[\r\n]/, 1)[0] ?? ''] as const)
  return [wrong.map(({ line }) => line), new Map(firstLines)]
}

describe.each(engines)('hostile texts in every field of every operation (%s)', (engine) => {
  it('are refused with a 400 or kept as they are; nothing fails, and no line of the log is forged', async () => {
    let logged = ''
    const log = pino(
      { level: 'trace' },
      new Writable({ write: (chunk: Buffer, _encoding, done) => ((logged += chunk.toString()), done()) }),
    )
    const outbound: Outbound = { send: () => Promise.resolve({ status: 204, headers: {}, body: '' }) }
    const rookery = await openTestConsole({ engine, log, world: { outbound } })
    const seed = await plantSeed(rookery)
    const sent = new Map<string, string>()
    const statuses = new Map<number, number>()
    let marks = 0
    for (const operation of operations) {
      for (const field of textFields(operation)) {
        if (++marks % sized(1, 4) !== 0) continue
        const mark = `mk${marks}`
        const corpus = hostileTexts(mark)
        for (const { text } of corpus) sent.set(text.slice(0, mark.length + 2), text)
        const tell = async (hostile: Hostile, as: Encoding): Promise<number> => {
          const { status, text } = await send(
            rookery,
            operation,
            paramsWith(operation, seed, field, hostile),
            as,
          )
          const request = `${operation.method} ${operation.path} ${field} ${hostile.what} as ${as}: ${status} ${text.slice(0, 400)}`
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          // A factory's key that is none is a guess, and so is a password or a code.
          const isGuess = field === 'factory_auth' || operation.path.startsWith('/session/')
          const guess = isGuess || operation.role === 'person' ? [401, 429] : []
          expect([200, 400, 403, 404, 409, 413, 431, ...guess], request).toContain(status)
          if (hostile.what === 'NUL' && guess.length === 0) expect([400, 403], request).toContain(status)
          if (status === 200 && text.startsWith('{'))
            expect(harmed(...kept(operation, JSON.parse(text), sent)), request).toEqual([])
          return status
        }
        const as = ENCODINGS[marks % ENCODINGS.length] ?? 'form'
        const isTaken = (await tell(everyText(mark), as)) === 200
        if (isSlow(operation)) continue
        for (const hostile of corpus.slice(-3)) {
          // What is bounded is bounded by one rule: a megabyte each tenth time is enough.
          if (hostile.what === '1 MB' && marks % 10 !== 0 && mostOf(operation, field) < 100_000) continue
          // The other database keeps the same texts: it need not see each of them alone.
          if (engine === 'postgres' && hostile.what === '1 MB') continue
          await tell(hostile, hostile.what === '1 MB' ? 'JSON' : as)
        }
        // Refused together: perhaps for one of them alone.
        if (!isTaken) for (const hostile of corpus.slice(0, -3)) if ((await tell(hostile, as)) !== 200) break
      }
    }
    // What was kept is read by every operation that reads.
    const read = new Set<string>()
    for (const operation of operations.filter(
      ({ method, answers }) => method === 'GET' && answers !== 'events',
    )) {
      const params = Object.entries(fillExample(operation.example, seed)).map(
        ([name, value]) => [name, Buffer.from(String(value))] as const,
      )
      const { status, text } = await send(rookery, operation, params, 'query')
      expect(status, `${operation.path} ${text.slice(0, 300)}`).toBeLessThan(500)
      if (!text.startsWith('{')) continue
      const texts = [...textsIn(JSON.parse(text))]
      // The trail, the incident of a changed setting and its alert quote what was given in a sentence of their own.
      const quotes = [...titles.map((title) => `${title}: `), '{"Description":']
      const alerts = texts.filter((it) => quotes.some((start) => it.startsWith(start)))
      for (const it of alerts)
        expect(it).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      const others = texts.filter((it) => !alerts.includes(it))
      expect(harmed(others, sent), operation.path).toEqual([])
      for (const it of texts) for (const [mark] of it.matchAll(/mk\d+/g)) read.add(mark)
    }
    expect(read.size).toBeGreaterThan(sized(10, 2))
    expect(statuses.get(200) ?? 0).toBeGreaterThan(sized(100, 20))

    for (const line of logged.split('\n').filter(Boolean)) {
      const { msg } = JSON.parse(line) as { msg?: string }
      expect(msg, line).not.toBe(FORGED)
      expect(line).not.toMatch(/[\u0000-\u001f\u007f]/)
    }
    const metrics = await (await fetch(`${rookery.console.apiUrl}/metrics`)).text()
    expect(metrics).not.toMatch(/mk\d+\.|forged/)
  })
})

function paramsWith(
  operation: Operation,
  seed: Seed,
  field: string,
  hostile: Hostile,
): (readonly [string, Buffer])[] {
  const given = { ...fillExample(operation.example, seed), [field]: '' }
  return Object.entries(given).map(([name, value]) => [
    name,
    name === field ? (hostile.bytes ?? Buffer.from(hostile.text)) : Buffer.from(String(value)),
  ])
}
