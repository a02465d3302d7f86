// Whatever bytes come to the API: a clear refusal in the one form, never a 5xx, never the end of the process.
import { Agent, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group } from '@rookery/contract/operation.ts'
import { sendBytes } from '../bytes.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../test-console.ts'

const FORM = 'application/x-www-form-urlencoded'
const KEY = `X-Auth-Token: ${ADMIN}\r\n`

const send = (rookery: TestConsole, bytes: string | Buffer): Promise<string> =>
  sendBytes(rookery.console.apiUrl ?? '', bytes)

const FAULT = {
  result: 'error',
  message: expect.any(String) as string,
  error: expect.stringMatching(/^[a-z-]+$/) as string,
  request_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
}

/** Status, headers and JSON of a whole answer; refuses what is not in the one form. */
function readFault(answer: string): { status: number; head: string; json: Record<string, unknown> } {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head.toLowerCase()).toContain('content-type: application/json\r\n')
  expect(body.endsWith('\n')).toBe(true)
  const json = JSON.parse(body) as Record<string, unknown>
  expect(json).toMatchObject(FAULT)
  return { status: Number(head.split(' ')[1]), head, json }
}

describe('bytes that are no good request', () => {
  const head = `Host: x\r\n${KEY}Connection: close\r\n`
  it.each([
    ['binary garbage', Buffer.from([1, 2, 3, 255, 254, 13, 10, 13, 10]), 400],
    ['a TLS hello', Buffer.from('16030100f5010000f10303', 'hex'), 400],
    [
      'a chunk without a size',
      `POST /api/v1/flock/note/add HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nab`,
      400,
    ],
    [
      'such a chunk where nothing is read',
      `POST /api/v1/ping HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nab`,
      405,
    ],
    [
      'two lengths',
      `POST /api/v1/ping HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
    ],
    [
      'a length and chunks',
      `POST /api/v1/ping HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a header of 1 MB', `GET /api/v1/ping HTTP/1.1\r\n${head}X: ${'a'.repeat(1_000_000)}\r\n\r\n`, 431],
    ['an escape that is no UTF-8', `GET /api/v1/%ff%zz HTTP/1.1\r\n${head}\r\n`, 400],
    ['a method for elsewhere', `PROPFIND /api/v1/ping HTTP/1.1\r\n${head}\r\n`, 405],
    ['TRACE', `TRACE /api/v1/ping HTTP/1.1\r\n${head}\r\n`, 405],
    ['OPTIONS', `OPTIONS /api/v1/ping HTTP/1.1\r\n${head}\r\n`, 405],
    ['DELETE where there is only GET', `DELETE /api/v1/ping HTTP/1.1\r\n${head}\r\n`, 405],
    ['an unknown path', `GET /api/v1/../etc HTTP/1.1\r\n${head}\r\n`, 404],
  ])('%s', async (_name, bytes, status) => {
    const rookery = await openTestConsole()
    const fault = readFault(await send(rookery, bytes))
    expect(fault.status).toBe(status)
    if (status === 405) expect(fault.head).toMatch(/^allow: GET$/im)
  })

  it('HEAD answers like GET, without a body', async () => {
    const rookery = await openTestConsole()
    for (const [path, status] of [
      ['ping', 200],
      ['incidents/all', 200],
      ['nothing', 404],
    ] as const) {
      const answer = await send(rookery, `HEAD /api/v1/${path} HTTP/1.1\r\n${head}\r\n`)
      expect(answer).toMatch(
        new RegExp(`^HTTP/1.1 ${status} [^]*content-type: application/json\r\n[^]*\r\n\r\n$`),
      )
    }
  })
})

describe('a body made to cost much', () => {
  const million = 1_000_000
  it.each([
    ['a million brackets', 'application/json', '['.repeat(million)],
    ['objects in objects', 'application/json', '{"a":'.repeat(million / 5) + '1' + '}'.repeat(million / 5)],
    [
      'a deep parameter',
      'application/json',
      `{"flock_id":${'['.repeat(million / 2)}${']'.repeat(million / 2)}}`,
    ],
    ['a million parameters', FORM, 'a&'.repeat(million)],
    [
      'very many parts',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(20_000) + '--b--',
    ],
  ])('%s: refused before it costs anything', async (_name, type, body) => {
    const rookery = await openTestConsole()
    const headers = { 'Content-Type': type, 'X-Auth-Token': ADMIN }
    const answer = await fetch(`${rookery.console.apiUrl ?? ''}/api/v1/flock/note/add`, {
      method: 'POST',
      headers,
      body,
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ ...FAULT, message: 'Could not process the parameters' })
  })

  it('a form of 5 MB: too large; a note of brackets in quotes: no bomb', async () => {
    const rookery = await openTestConsole()
    const url = `${rookery.console.apiUrl ?? ''}/api/v1/flock/note/add`
    const send = (type: string, body: string) =>
      fetch(url, { method: 'POST', headers: { 'Content-Type': type, 'X-Auth-Token': ADMIN }, body })
    expect((await send(FORM, `note=${'x'.repeat(5_000_000)}`)).status).toBe(413)
    const note = `"\\${'[{'.repeat(100)}"\\\\`
    expect((await send('application/json', JSON.stringify({ flock_id: 'flock:default', note }))).status).toBe(
      200,
    )
    expect((await rookery.get('/flock/note', { flock_id: 'flock:default' })).json['note']).toBe(note)
  })
})

describe.each(engines)('requests made at random from the contract (%s)', (engine) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void

  const everyGroup: Readonly<Record<string, Group>> = groups
  // Without those that would end the conversation, or never end.
  const operations = Object.values(everyGroup)
    .flatMap((group) => Object.values(group))
    .filter(({ answers }) => answers !== 'events')
    .filter(({ path }) => path !== '/settings/api/disable' && !/auth_token\/(delete|revoke)/.test(path))

  const nasty = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '-1',
      'NaN',
      '1e999',
      'null',
      'true',
      '[]',
      '{}',
      '__proto__',
      'flock:default',
      '\u0000',
      '\ud800',
      '%',
      "';--",
      '../..',
      '%00',
      '9'.repeat(40),
      'x'.repeat(20_000),
      '::1',
      '0.0.0.0/0',
      '1h',
      '2026-13-99-99:99:99',
      'http://127.0.0.1:1/',
    ),
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.json({ maxDepth: 3 }),
  )
  const extra = fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'auth_token',
    'limit',
    'cursor',
    'tz',
    '',
    'a'.repeat(500),
  )

  const generated = fc.constantFrom(...operations).chain((operation) => {
    const names = Object.keys(operation.params.properties)
    const known =
      names.length === 0 ? extra : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, extra)
    return fc.record({
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant<string>(operation.method) },
        fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'PATCH'),
      ),
      path: fc.constant(operation.path),
      pairs: fc.array(fc.tuple(known, nasty), { maxLength: 6 }),
      form: fc.constantFrom(
        'query',
        'form',
        'json',
        'multipart',
        'torn json',
        'torn multipart',
        'wrong type',
      ),
      hasKey: fc.boolean(),
    })
  })
  type Made = typeof generated extends fc.Arbitrary<infer T> ? T : never

  const agent = new Agent({ keepAlive: true, maxSockets: 16 })

  function send(rookery: TestConsole, made: Made): Promise<{ status: number; type: string; text: string }> {
    const form = new URLSearchParams(made.pairs.map(([name, value]): [string, string] => [name, value]))
    const json = JSON.stringify(Object.fromEntries(made.pairs))
    const parts = made.pairs
      .map(([n, v]) => `--b\r\nContent-Disposition: form-data; name="${n}"\r\n\r\n${v}\r\n`)
      .join('')
    const [type, body] = {
      query: [undefined, ''],
      form: [FORM, form.toString()],
      json: ['application/json', json],
      multipart: ['multipart/form-data; boundary=b', `${parts}--b--\r\n`],
      'torn json': ['application/json', json.slice(0, -1)],
      'torn multipart': ['multipart/form-data; boundary=b', parts.slice(3)],
      'wrong type': ['text/x-nothing', json],
    }[made.form] as [string | undefined, string]
    const query = made.form === 'query' ? `?${form.toString()}` : ''
    const path = `/api/v1${made.path}${query.slice(0, 8_000)}`
    const headers = {
      'Content-Length': Buffer.byteLength(body),
      ...(type !== undefined && { 'Content-Type': type }),
      ...(made.hasKey && { 'X-Auth-Token': ADMIN }),
    }
    return new Promise((resolve, reject) => {
      const sent = request(
        `${rookery.console.apiUrl ?? ''}${path}`,
        { method: made.method, headers, agent },
        (response) => {
          const pieces: Buffer[] = []
          response.on('data', (piece: Buffer) => pieces.push(piece))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              text: Buffer.concat(pieces).toString(),
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }

  // The second database sees fewer: what differs between the two are the statements.
  const many = sized(engine === 'sqlite' ? 1_500 : 500, 100)
  const warming = sized(500, 100)

  it(`${many} of them: no 5xx, every answer JSON in the one form, and flat memory`, async () => {
    const rookery = await openTestConsole({ engine })
    onTestFinished(() => agent.destroy())
    const statuses = new Map<number, number>()
    const { seed } = fc.readConfigureGlobal()
    async function round(requests: readonly Made[]): Promise<void> {
      const waiting = [...requests]
      const work = async (): Promise<void> => {
        for (let made = waiting.pop(); made; made = waiting.pop()) {
          const { status, type, text } = await send(rookery, made)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          expect(status, `seed ${seed}: ${JSON.stringify([made, text]).slice(0, 2_000)}`).toBeLessThan(500)
          if (status === 200 && type !== 'application/json') continue
          expect([type, text.endsWith('\n')], JSON.stringify(made).slice(0, 2_000)).toEqual([
            'application/json',
            true,
          ])
          const json = JSON.parse(text) as object
          if (status === 200) expect(json).toHaveProperty('result')
          else expect(json).toMatchObject(FAULT)
        }
      }
      await Promise.all(Array.from({ length: 16 }, work))
    }
    const requests = fc.sample(generated, many + warming)
    await round(requests.slice(0, warming))
    collect()
    const before = process.memoryUsage().heapUsed
    await round(requests.slice(warming))
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1024 * 1024)
    expect(statuses.get(200) ?? 0).toBeGreaterThan(sized(20, 2))
    expect((await rookery.get('/ping')).status).toBe(200)
  })
})
