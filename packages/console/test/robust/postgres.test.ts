// PostgreSQL comes and goes: every caller gets an error that says so, nobody crashes, and what was acknowledged is still there.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import type { Fault } from '@rookery/kernel/fault.ts'
import { openPostgres } from '../../src/db/postgres/engine.ts'
import { ownTimeMs } from '../own-time.ts'
import { openProxy } from '../postgres-proxy.ts'
import { freshDatabase, openTestConsole } from '../test-console.ts'
import { openTouched, OURS, sources, zones } from '../touched.ts'
import { sshLogin } from '../touches.ts'

/** Ends every connection to the console's database from the server's side; resolves once their processes are gone. */
async function endConnections(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url.replace(/\/[^/]*$/, '/postgres') })
  await admin.connect()
  await admin.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
    new URL(url).pathname.slice(1),
  ])
  await admin.end()
}

const unavailable = expect.objectContaining({ code: 'unavailable' }) as Fault

describe('while PostgreSQL is away', () => {
  it('reads and writes answer 503 with its place, and go on when it is back', async () => {
    const { url, shut, open } = await openProxy()
    const rookery = await openTestConsole({ engine: 'sqlite', env: { ROOKERY_DATABASE_URL: url } })
    await rookery.console.ingest.fromConsole(sshLogin())
    shut()
    for (const [method, path] of [
      ['GET', '/incidents/all'],
      ['GET', '/flock/note'],
      ['POST', '/flock/note/add'],
      ['GET', '/incidents/search'],
    ] as const) {
      const { status, json } = await rookery.call(method, path, { flock_id: 'flock:default', note: 'n' })
      expect([path, status, json['error']]).toEqual([path, 503, 'unavailable'])
      expect(json['message']).toMatch(
        /^The database does not answer: postgres:\/\/127\.0\.0\.1:\d+\/test_[0-9a-f]+\.$/,
      )
      expect(JSON.stringify(json)).not.toContain('rookery:rookery')
    }
    const ready = await fetch(`${rookery.console.apiUrl ?? ''}/readyz`)
    expect(ready.status).toBe(503)
    await expect(rookery.console.ingest.fromConsole(sshLogin())).rejects.toEqual(unavailable)
    open()
    await rookery.console.ingest.fromConsole(sshLogin())
    const { incidents } = (await rookery.get('/incidents/all')).json as unknown as {
      incidents: { description: { events_count: string } }[]
    }
    expect(incidents.map(({ description }) => description.events_count)).toEqual(['2'])
  })

  it('a transaction that loses its connection is refused whole, whether it was asking or thinking', async () => {
    const url = await freshDatabase()
    const { base } = (await openTestConsole({ parts: [], env: { ROOKERY_DATABASE_URL: url } })).console
    const thinking = base.writer.write(async (tx) => {
      await tx.insertMany('meta', [{ name: 'thinking', value: 'x' }])
      await endConnections(url)
      await new Promise((resolve) => setImmediate(resolve))
      await tx.insertMany('meta', [{ name: 'thought', value: 'x' }])
    })
    const second = base.writer.write((tx) => tx.insertMany('meta', [{ name: 'second', value: 'x' }]))
    const reasons = await Promise.all([thinking, second].map((it) => it.catch((error: unknown) => error)))
    expect(reasons).toEqual([unavailable, unavailable])
    await base.writer.write((tx) => tx.insertMany('meta', [{ name: 'later', value: 'x' }]))
    const rows = await base.reader.selectFrom('meta').select('name').where('value', '=', 'x').execute()
    expect(rows).toEqual([{ name: 'later' }])
  })

  it('a token that was touched before answers the same page within 2 s when the server says nothing', async () => {
    const proxy = await openProxy()
    const rookery = await openTestConsole({ env: { ROOKERY_DATABASE_URL: proxy.url } })
    const { decoytoken } = await rookery.api.tokens.create({
      kind: 'fast-redirect',
      memo: 'm',
      flock_id: 'flock:default',
      browser_redirect_url: 'https://intranet.example.com/',
    })
    const open = async () => {
      const url = `${rookery.console.tokensUrl}/${decoytoken.decoytoken}`
      const answer = await fetch(url, { redirect: 'manual' })
      return [answer.status, answer.headers.get('location'), await answer.text()]
    }
    const first = await open()
    expect(first).toContain('https://intranet.example.com/')
    // A setting is changed before anybody touches the token again.
    await rookery.api.consoleIgnoreLists.enableHostNames()
    proxy.hang()
    const tookMs = await ownTimeMs(async () => expect(await open()).toEqual(first))
    expect(tookMs).toBeLessThan(2_000)
    proxy.shut()
  })

  it('a stop ends within 5 s when the server says nothing, and loses nothing that was answered or deferred', async () => {
    const proxy = await openProxy()
    const slow = zones(OURS, ['198.51.100.1'])
    const env = { ROOKERY_DATABASE_URL: proxy.url }
    const { rookery, touch } = await openTouched({ env, world: { resolver: slow.resolver } })
    await rookery.api.consoleIgnoreLists.replaceHostNames({ hostnames: 'scanners.example.com' })
    const { decoytoken } = await rookery.api.tokens.create({
      kind: 'http',
      memo: 'm',
      flock_id: 'flock:default',
    })
    const visit = async (visitor: string): Promise<number> => {
      const url = `${rookery.console.tokensUrl}/${decoytoken.decoytoken}`
      return (await fetch(url, { headers: { 'User-Agent': visitor } })).status
    }
    expect(await visit('one')).toBe(200)
    await touch({ srcHost: '198.51.100.1' })
    proxy.hang()
    const call = rookery.get('/incidents/all').catch(() => undefined)
    expect(await Promise.all([visit('two'), visit('three')])).toEqual([200, 200])
    expect(await ownTimeMs(() => rookery.console.stop())).toBeLessThan(5_000)
    await call
    slow.answer()
    await rookery.restart({ ROOKERY_DATABASE_URL: proxy.directUrl })
    await expect.poll(() => sources(rookery)).toEqual(['127.0.0.1 3', '198.51.100.1 1'])
  })

  it('a server that no longer answers is not waited for without end', async () => {
    const { url, hang, open } = await openProxy()
    const engine = openPostgres(url, { answerMs: 300 })
    onTestFinished(() => engine.close())
    const ask = () => engine.reader.selectNoFrom((e) => e.val('x').as('one')).execute()
    expect(await ask()).toEqual([{ one: 'x' }])
    hang()
    // An old connection, then a new one.
    for (const _ of [1, 2]) expect(engine.diagnose(await ask().catch((error: unknown) => error))).toBe('away')
    open()
    expect(await ask()).toEqual([{ one: 'x' }])
  })
})

describe('two consoles on one PostgreSQL', () => {
  it('may start at once on an empty database: one of them makes the first key', async () => {
    const url = await freshDatabase('without tables')
    const env = { ROOKERY_DATABASE_URL: url, ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
    const [first] = await Promise.all([openTestConsole({ env }), openTestConsole({ env, parts: [] })])
    const { keys } = (await first.get('/auth_token/list')).json as unknown as { keys?: unknown[] }
    const rows = await first.console.base.reader.selectFrom('api_key').select('key_id').execute()
    expect([rows.length, keys?.length ?? 1]).toEqual([1, 1])
  })

  it('updated_id rises in the order of commits: a poller misses nothing', async () => {
    const url = await freshDatabase()
    const open = async () =>
      (await openTestConsole({ parts: [], env: { ROOKERY_DATABASE_URL: url } })).console
    const first = await open()
    const second = await openTestConsole({
      parts: [],
      env: {
        ROOKERY_DATABASE_URL: url,
        ROOKERY_MASTER_KEY: readFileSync(first.folder.masterKey, 'utf8').trim(),
      },
    })
    const consoles = [first, second.console]
    const total = sized(300, 60)
    const seen = new Set<number>()
    let isWriting = true
    let largest = 0
    const poll = async (): Promise<void> => {
      const rows = await first.base.reader
        .selectFrom('incident')
        .select('updated_id')
        .where('updated_id', '>', largest)
        .orderBy('updated_id')
        .execute()
      for (const { updated_id } of rows) seen.add(updated_id)
      largest = rows.at(-1)?.updated_id ?? largest
    }
    const poller = (async () => {
      while (isWriting) await poll()
    })()
    await Promise.all(
      consoles.map(async ({ ingest }, at) => {
        for (let n = 0; n < total / 2; n++)
          await ingest.fromConsole(
            sshLogin({ srcHost: `10.${at}.${n >> 8}.${n & 255}`, instance: `${at}/${n}` }),
          )
      }),
    )
    isWriting = false
    await poller
    await poll()
    expect(seen.size).toBe(total)
  })

  it('each hears of the other’s changes without being asked', async () => {
    const url = await freshDatabase()
    const first = await openTestConsole({ env: { ROOKERY_DATABASE_URL: url } })
    const key = readFileSync(first.console.folder.masterKey, 'utf8').trim()
    const second = await openTestConsole({ env: { ROOKERY_DATABASE_URL: url, ROOKERY_MASTER_KEY: key } })
    expect((await second.get('/ping')).status).toBe(200)
    await first.post('/settings/api/disable')
    await expect.poll(async () => (await second.get('/ping')).status).toBe(403)
  })
})
