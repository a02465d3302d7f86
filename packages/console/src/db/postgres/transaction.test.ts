import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/test-console.ts'
import type { Engine } from '../engine.ts'
import type { Query } from '../query.ts'
import { openPostgres } from './engine.ts'

const put = (engine: Engine, name: string): Promise<void> =>
  engine.transaction((tx) => tx.insertMany('meta', [{ name, value: 'x' }]))

const names = async (engine: Engine): Promise<string[]> => {
  const rows = await engine.reader.selectFrom('meta').select('name').where('value', '=', 'x').execute()
  return rows.map(({ name }) => name)
}

const limits = { idleMs: 300, lockMs: 5_000, statementMs: 30_000 }

function openOn(url: string, options: Parameters<typeof openPostgres>[1] = {}): Engine {
  const engine = openPostgres(url, { limits, ...options })
  onTestFinished(() => engine.close())
  return engine
}

it('a console that stops inside a transaction holds up the others no longer than its time limit', async () => {
  const url = await freshDatabase()
  const frozen = openOn(url)
  const other = openOn(url)
  const inside = Promise.withResolvers<void>()
  const thaw = Promise.withResolvers<void>()
  const failed = frozen
    .transaction(async (tx) => {
      await tx.insertMany('meta', [{ name: 'frozen', value: 'x' }])
      inside.resolve()
      await thaw.promise
      await tx.insertMany('meta', [{ name: 'thawed', value: 'x' }])
    })
    .catch((error: unknown) => frozen.diagnose(error))
  await inside.promise
  await put(other, 'other')
  thaw.resolve()
  expect(await failed).toBe('away')
  await put(frozen, 'again')
  expect(await names(other)).toEqual(['other', 'again'])
})

it('who waits too long for another console’s transaction gets an error that counts as away', async () => {
  const url = await freshDatabase()
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('BEGIN; SELECT 1 FROM commit_sequence FOR UPDATE')
  const engine = openOn(url, { limits: { ...limits, lockMs: 100 } })
  const error: unknown = await put(engine, 'late').catch((reason: unknown) => reason)
  expect([(error as { code?: string }).code, engine.diagnose(error)]).toEqual(['55P03', 'away'])
  await holder.query('ROLLBACK')
  await put(engine, 'later')
  expect(await names(engine)).toEqual(['later'])
})

it('a statement that runs too long ends, and the transaction with it', async () => {
  const engine = openOn(await freshDatabase(), { limits: { ...limits, statementMs: 100 } })
  const error: unknown = await engine
    .transaction(async (tx) => void (await tx.rows('SELECT pg_sleep(60)', [])))
    .catch((reason: unknown) => reason)
  expect([(error as { code?: string }).code, engine.diagnose(error)]).toEqual(['57014', 'away'])
})

it('every writing transaction has the time limits, and a migration has none', async () => {
  const engine = openOn(await freshDatabase())
  const settings = ['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout']
  const shown: string[] = []
  const show = async (query: Query): Promise<void> => {
    for (const name of settings) {
      const setting = query.selectNoFrom((e) => e.fn<string>('current_setting', [e.val(name)]).as('value'))
      shown.push((await setting.executeTakeFirstOrThrow()).value)
    }
  }
  await engine.transaction((tx) => show(tx.query))
  await engine.alter(show)
  expect(shown).toEqual(['300ms', '5s', '30s', '0', '0', '0'])
})

it('a commit that waits for a synchronous standby is no success until the standby has it', async () => {
  const url = await freshDatabase()
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()
  onTestFinished(() => observer.end())
  // The server of the tests waits for no standby by default (tools/postgres.global.ts).
  const standbys = async (setting: string): Promise<void> => {
    await observer.query(`ALTER SYSTEM ${setting}`)
    await observer.query('SELECT pg_reload_conf()')
  }
  onTestFinished(() => standbys('RESET synchronous_standby_names'))
  await standbys("SET synchronous_standby_names = 'none_such'")
  await observer.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = on`)
  const count = async (condition: string): Promise<number> => {
    const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`
    return (await observer.query(text)).rows.length
  }
  const waits = (): Promise<number> => count("wait_event = 'SyncRep'")

  const engine = openOn(url, { answerMs: 1_000, limits: { ...limits, statementMs: 300 } })
  let isOver = false
  const committed = put(engine, 'replicated').finally(() => (isOver = true))
  await expect.poll(waits).toBe(1)
  // Its answer did not come in time: the console asks what became of it.
  await expect.poll(() => count("query LIKE '%pg_xact_status%'")).toBe(1)
  expect([await waits(), isOver]).toEqual([1, false])
  await standbys('RESET synchronous_standby_names')
  await committed
  expect(await names(engine)).toEqual(['replicated'])
})

it('a read that nobody awaits any longer is cancelled on the server', async () => {
  const url = await freshDatabase()
  const engine = openOn(url, { answerMs: 300 })
  const asleep = engine.reader.selectNoFrom((e) => e.fn('pg_sleep', [e.val(60)]).as('slept')).execute()
  expect(engine.diagnose(await asleep.catch((error: unknown) => error))).toBe('away')
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()
  onTestFinished(() => observer.end())
  const reading =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()"
  await expect.poll(async () => (await observer.query(reading)).rows).toEqual([])
})
