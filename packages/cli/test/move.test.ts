// `rookery move`: everything goes to the other engine and back, whatever stops it on the way.
import { copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openProxy } from '@rookery/console/test/postgres-proxy.ts'
import { freshDatabase } from '@rookery/console/test/test-console.ts'
import { sized } from '@rookery/kernel/test/size.ts'
import { addRandomRows, openChance, postgresContents, sqliteContents } from './random-rows.ts'
import { begin, createTokens, newFolder, rookery, serve, servedFolder } from './run-rookery.ts'
import { servedDatabase } from './served-database.ts'

const seed = Number(process.env['ROOKERY_SEED'] ?? Date.now() % 1_000_000)
const chance = openChance(seed)
const empty = (): Promise<string> => freshDatabase('without tables')
const at = (dataDir: string) => ({ ROOKERY_DATA_DIR: dataDir })
const to = (url: string): string[] => ['move', '--to', url]

async function filledFolder(): Promise<{ dataDir: string; path: string }> {
  const dataDir = await servedFolder()
  const path = join(dataDir, 'rookery.db')
  addRandomRows(path, chance, sized(400, 40))
  return { dataDir, path }
}

async function ask(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** Begins a move, and resolves once it has printed this many lines. */
async function beginMove(url: string, dataDir: string, lines: number): Promise<ReturnType<typeof begin>> {
  const running = begin(to(url), at(dataDir))
  await new Promise<void>((resolve) => {
    running.child.stderr?.on('data', () => running.errors().split('\n').length > lines && resolve())
    void running.ended.then(() => resolve())
  })
  return running
}

describe(`random rows in every table (ROOKERY_SEED=${seed})`, () => {
  it('are the same in PostgreSQL, and the same again in another folder', async () => {
    const { dataDir, path } = await filledFolder()
    const before = sqliteContents(path)
    const url = await empty()
    const there = await rookery(to(url), at(dataDir))
    expect([there.code, there.stdout], there.stderr).toEqual([
      0,
      expect.stringContaining('none missing; the audit trail is the same'),
    ])
    expect(there.stdout).toContain(
      `${path} stays as it was.\nSet ROOKERY_DATABASE_URL to the URL, and start the console.`,
    )
    expect(there.stdout + there.stderr).not.toContain('rookery:rookery@')
    expect(await postgresContents(url)).toEqual(before)
    expect(sqliteContents(path)).toEqual(before)

    const elsewhere = newFolder()
    copyFileSync(join(dataDir, 'master.key'), join(elsewhere, 'master.key'))
    const back = await rookery(to('sqlite'), { ...at(elsewhere), ROOKERY_DATABASE_URL: url })
    expect([back.code, back.stdout], back.stderr).toEqual([
      0,
      expect.stringContaining('Unset ROOKERY_DATABASE_URL'),
    ])
    expect(sqliteContents(join(elsewhere, 'rookery.db'))).toEqual(before)
  })

  it('are the same after kills in the middle, and nothing starts on a half of them', async () => {
    const { dataDir, path } = await filledFolder()
    const url = await empty()
    const env = { ...at(dataDir), ROOKERY_DATABASE_URL: url }
    for (const lines of [3, 1 + Math.floor(chance() * 20)]) {
      const { child, ended } = await beginMove(url, dataDir, lines)
      child.kill('SIGKILL')
      expect((await ended).signal).toBe('SIGKILL')
      for (const command of ['serve', 'doctor']) {
        const { code, stdout, stderr } = await rookery([command], env)
        expect([code, stdout + stderr]).toEqual([
          1,
          expect.stringContaining('holds an unfinished move: run `rookery move` again'),
        ])
      }
    }
    const done = await rookery(to('postgres'), env)
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringContaining('Going on where the move before stopped.'),
    ])
    expect(await postgresContents(url)).toEqual(sqliteContents(path))
    expect((await rookery(['doctor'], env)).stdout).toMatch(/^ok +schema/m)
  })

  it('are the same after the target went away half-way', async () => {
    const { dataDir, path } = await filledFolder()
    const proxy = await openProxy()
    await ask(proxy.directUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    const { ended } = await beginMove(proxy.url, dataDir, 4).then((running) => {
      proxy.shut()
      return running
    })
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /The database does not answer: postgres:\/\/127\S+ Run the same command again: it goes on where it stopped\.\n/,
      ),
    ])
    proxy.open()
    const again = await rookery(to(proxy.url), at(dataDir))
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining('Going on where the move before stopped.'),
    ])
    expect(await postgresContents(proxy.directUrl)).toEqual(sqliteContents(path))
  })

  it('are those of the source as it is now, if a console has run on it since the move was stopped', async () => {
    const { dataDir, path } = await filledFolder()
    const url = await empty()
    const { child, ended } = await beginMove(url, dataDir, 20)
    child.kill('SIGKILL')
    await ended
    expect((await rookery(['key', 'add', '--type', 'admin', '--note', 'since'], at(dataDir))).code).toBe(0)
    const done = await rookery(to(url), at(dataDir))
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringContaining('A console has run since the move before stopped: starting over.'),
    ])
    expect(await postgresContents(url)).toEqual(sqliteContents(path))
  })
})

it('a console goes on over what was moved, and pollers miss nothing, there and back', async () => {
  const dataDir = newFolder()
  const first = await serve(dataDir)
  const [token = ''] = await createTokens(first, 1)
  const touch = (console: { tokensUrl: string }, agent: string): Promise<Response> =>
    fetch(console.tokensUrl + new URL(token).pathname, {
      headers: { 'User-Agent': agent, Connection: 'close' },
    })
  await touch(first, 'before')
  const seen = async (console: typeof first): Promise<number> =>
    Number((await console.get('/incidents/all')).json['max_updated_id'])
  let last = await seen(first)
  expect(last).toBeGreaterThan(0)
  const running = await rookery(to(await empty()), at(dataDir))
  expect([running.code, running.stderr]).toEqual([
    1,
    expect.stringContaining('Another Rookery uses this data directory'),
  ])
  await first.stop()

  const url = await empty()
  const env = { ROOKERY_DATABASE_URL: url }
  expect((await rookery(to(url), at(dataDir))).code).toBe(0)
  const second = await serve(dataDir, env)
  expect(await seen(second)).toBe(last)
  const news = async (console: typeof first): Promise<unknown[]> =>
    (await console.get('/incidents/all', { incidents_since: String(last) })).json[
      'incidents'
    ] as unknown as unknown[]
  await createTokens(second, 1).then(([fresh = '']) => fetch(fresh, { headers: { Connection: 'close' } }))
  expect(await news(second)).toHaveLength(1)
  last = await seen(second)
  const served = await rookery(to('sqlite'), {
    ...at(newFolder()),
    ...env,
    ROOKERY_MASTER_KEY: masterKey(dataDir),
  })
  expect([served.code, served.stderr]).toEqual([1, expect.stringContaining('A console runs on postgres://')])
  await second.stop()

  const elsewhere = newFolder()
  cpSync(join(dataDir, 'master.key'), join(elsewhere, 'master.key'))
  expect((await rookery(to('sqlite'), { ...at(elsewhere), ...env })).code).toBe(0)
  const third = await serve(elsewhere)
  await createTokens(third, 1).then(([fresh = '']) => fetch(fresh, { headers: { Connection: 'close' } }))
  expect(await news(third)).toHaveLength(1)
  expect(await seen(third)).toBeGreaterThan(last)
  await third.stop()
  expect((await rookery(['doctor'], at(elsewhere))).stdout).toMatch(/^ok +audit trail/m)
})

describe('is refused', () => {
  it('a target that holds anything, which it names', async () => {
    const dataDir = await servedFolder()
    const foreign = await empty()
    await ask(
      foreign,
      'CREATE TABLE invoices (id int); INSERT INTO invoices VALUES (1), (2); CREATE TABLE notes (id int)',
    )
    const other = await rookery(to(foreign), at(dataDir))
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('is not empty: it holds invoices (2 rows), 1 more tables. Name an empty one.'),
    ])
    const { env } = await servedDatabase('postgres')
    const full = await rookery(to(env['ROOKERY_DATABASE_URL'] ?? ''), at(dataDir))
    expect([full.code, full.stderr]).toEqual([
      1,
      expect.stringMatching(/is not empty: it holds .*api_key \(1 row\)/),
    ])
    const { dataDir: own, env: both } = await servedDatabase('postgres')
    cpSync(join(dataDir, 'rookery.db'), join(own, 'rookery.db'))
    const file = await rookery(to('sqlite'), both)
    expect([file.code, file.stderr]).toEqual([
      1,
      expect.stringMatching(/rookery\.db is not empty: it holds .*audit \(/),
    ])
  })

  it('a source of another release, and one that is not there', async () => {
    const { dataDir, run } = await servedDatabase('sqlite')
    await run("INSERT INTO schema_migration VALUES ('2099-01-01T0000-later', 0)")
    const url = await empty()
    const newer = await rookery(to(url), at(dataDir))
    expect([newer.code, newer.stderr]).toEqual([
      1,
      expect.stringContaining('was written by a newer Rookery (migration 2099'),
    ])
    await run("DELETE FROM schema_migration WHERE name > '2026-11-25'")
    const older = await rookery(to(url), at(dataDir))
    expect([older.code, older.stderr]).toEqual([
      1,
      expect.stringContaining('was written by an older Rookery'),
    ])
    const none = await rookery(to(url), at(newFolder()))
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no database at')])
    expect(await postgresContents(url)).toEqual({})
  })

  it('a target that is none, without printing its password', async () => {
    const dataDir = newFolder()
    const said = async (target: string, env: Record<string, string> = {}): Promise<string> =>
      (await rookery(to(target), { ...at(dataDir), ...env })).stderr
    expect(await said('mysql://u:s3cret@h/db')).toBe(
      '--to must be sqlite, a postgres:// URL, or postgres while ROOKERY_DATABASE_URL is set, not "mysql://…@h/db".\n',
    )
    expect(await said('postgres')).toContain('postgres while ROOKERY_DATABASE_URL is set')
    expect(await said('sqlite')).toBe(
      '--to sqlite moves from PostgreSQL: set ROOKERY_DATABASE_URL to its URL.\n',
    )
    expect(await said('postgres://h/a', { ROOKERY_DATABASE_URL: 'postgres://h/b' })).toContain(
      'is another PostgreSQL than --to',
    )
    expect(existsSync(join(dataDir, 'rookery.db'))).toBe(false)
  })
})

/** Of the folder, in the form of the option. */
const masterKey = (dataDir: string): string => readFileSync(join(dataDir, 'master.key'), 'utf8').trim()
