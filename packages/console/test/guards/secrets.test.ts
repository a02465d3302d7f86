// Every parameter that the contract marks as a secret is given one, in every way a client might; then it is looked for in
// everything that leaves: log, errors, metrics, the audit trail, what lesser keys may read, and the database.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { fillExample } from '@rookery/contract/examples.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group, Operation } from '@rookery/contract/operation.ts'
import type { Outbound } from '@rookery/kernel/world.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole, type Params } from '../test-console.ts'
import { plantSeed } from '../seed.ts'

const operations = Object.values<Group>(groups).flatMap((group) => Object.values(group))

interface Facts {
  readonly secret?: string
  readonly type?: string
}
const secretFields = ({ params }: Operation): (readonly [string, Facts])[] =>
  Object.entries(params.properties as Record<string, Facts>).filter(([, { secret }]) => secret !== undefined)

const marked = operations.filter((operation) => secretFields(operation).length > 0)

/** A value of the shape that the field wants, around the secret. */
function valueOf(name: string, { type }: Facts, secret: string): string {
  if (type === 'object') return JSON.stringify({ 'X-Secret': secret })
  return /url/.test(name) ? `https://alerts.example.com/in/${secret}` : secret
}

/** All that the database holds, as it lies on the disk, or as the server has it. */
async function stored(rookery: TestConsole, databaseUrl: string | undefined): Promise<Buffer[]> {
  const { path } = rookery.console.folder
  const files = readdirSync(path)
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
  if (databaseUrl === undefined) return files.map((name) => readFileSync(name))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  )
  const texts: Buffer[] = []
  for (const { name } of rows) {
    const { rows: all } = await client.query<{ text: string }>(`SELECT t::text AS text FROM "${name}" t`)
    texts.push(Buffer.from(all.map(({ text }) => text).join('\n')))
  }
  await client.end()
  return texts
}

describe.each(engines)('what the contract calls a secret (%s)', (engine) => {
  it('is in no log, error, metric or trail, in no answer to a lesser key, and not readable in the database', async () => {
    expect(marked.length).toBeGreaterThan(5)
    let logged = ''
    const log = pino(
      { level: 'trace' },
      new Writable({ write: (chunk: Buffer, _encoding, done) => ((logged += chunk.toString()), done()) }),
    )
    const outbound: Outbound = { send: () => Promise.reject(new Error('The receiver is away.')) }
    const databaseUrl = engine === 'postgres' ? await freshDatabase() : undefined
    const env: Record<string, string> = databaseUrl === undefined ? {} : { ROOKERY_DATABASE_URL: databaseUrl }
    const rookery = await openTestConsole({ log, world: { outbound }, env })
    const seed = await plantSeed(rookery)
    const lesser = (await rookery.post('/auth_token/add', { auth_token_type: 'analyst', note: 'n' }))
      .json as unknown as { global_api_key: { auth_token: string } }

    const secrets: string[] = []
    const refusals: string[] = []
    for (const operation of marked) {
      const { method, path } = operation
      for (const [name, facts] of secretFields(operation)) {
        const good = fillExample(operation.example, seed)
        const give = async (secret: string, more: Params, key?: string | null): Promise<void> => {
          const params = { ...good, [name]: valueOf(name, facts, secret), ...more }
          const { status, text } = await rookery.call(method, path, params, key)
          if (status !== 200) refusals.push(`${path} ${name} ${status} ${text}`)
          expect(status, `${path} ${text}`).toBeLessThan(500)
        }
        // Rightly; with another parameter missing; by a key that may not; by nobody; where none is wanted.
        for (const [at, more, key] of [
          [0, {}, undefined],
          [1, { flock_id: 'flock:none', email: 'nobody', expiry: 'never', port: 'none' }, undefined],
          [2, {}, lesser.global_api_key.auth_token],
          [3, {}, null],
        ] as const) {
          const secret = `5ec7e7${secrets.length.toString(16).padStart(10, '0')}${'0123456789abcdef'.slice(at)}`
          secrets.push(secret)
          await give(secret, more, key)
        }
      }
    }
    expect(refusals.length).toBeGreaterThan(marked.length)
    await rookery.console.dispatcher.idle()
    await rookery.console.base.writer.idle()

    const readable: string[] = []
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const params = fillExample(operation.example, seed)
      readable.push((await rookery.get(operation.path, params, lesser.global_api_key.auth_token)).text)
    }
    readable.push((await rookery.get('/audit_trail/fetch', { limit: 5000 })).text)
    readable.push(await (await fetch(`${rookery.console.apiUrl}/metrics`)).text())
    const database = await stored(rookery, databaseUrl)
    expect(database.length).toBeGreaterThan(1)
    for (const secret of secrets) {
      expect([secret, logged.includes(secret)]).toEqual([secret, false])
      expect([secret, refusals.filter((it) => it.includes(secret))]).toEqual([secret, []])
      expect([secret, readable.filter((it) => it.includes(secret)).map((it) => it.slice(0, 500))]).toEqual([
        secret,
        [],
      ])
      expect([secret, database.some((bytes) => bytes.includes(secret))]).toEqual([secret, false])
    }
  })
})
