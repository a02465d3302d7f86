// G11: the database of an older release is brought to this one's schema, and the console is killed inside of it.
// No release is out yet: a database with some of the migrations stands for an older one.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startConsole } from '../../rig/scenes/console.ts'
import { reading } from '../../rig/scenes/stored.ts'
import type { Dice } from './dice.ts'
import { MIGRATIONS, migrateTo, schemasByCount, stateOf, type Asked, type Schema } from './schema.ts'

export interface Upgrades {
  readonly kills: number
  /** Kills after which some of the missing migrations were applied, and not all. */
  readonly inside: number
  /** Databases that were neither the old nor the new, or no longer started, or lost a row: in words. */
  readonly half: readonly string[]
  /** Upgrades that came to their end. */
  readonly finished: number
  /** The control: a migration of which one statement was applied is seen. */
  readonly isHalfSeen: boolean
}

export interface UpgradesOptions {
  readonly kills: number
  readonly dice: Dice
  readonly folder: string
  /** Makes an empty database of this name, and answers its URL; SQLite without. */
  readonly createDatabase?: (name: string) => Promise<string>
}

/** A database of the older release, and a way to look into it. */
interface Older extends Asked {
  readonly dataDir: string
  readonly url: string
  close(): Promise<void>
}

const KILLS_PER_UPGRADE = 4
/** About when a console has opened its database. */
const OPENED_MS = 600
const MARK = { updatedId: 4711, name: 'older release' }

export async function upgradeWithKills(options: UpgradesOptions): Promise<Upgrades> {
  const { kills, dice } = options
  const schemas = await withDatabase(options, 'reference', (reference) =>
    schemasByCount(reference, reference.url, join(reference.dataDir, 'rookery.db')),
  )
  const isHalfSeen = await withDatabase(options, 'control', (control) => seesHalf(control, schemas))
  const half: string[] = []
  let done = 0
  let inside = 0
  let finished = 0
  for (let upgrade = 1; done < kills; upgrade++) {
    const old = dice.between(1, MIGRATIONS.length - 1)
    await withDatabase(options, `older${upgrade}`, async (older) => {
      await makeOlder(older, old)
      for (let kill = 0; kill < KILLS_PER_UPGRADE && done < kills; kill++) {
        await killWhileUpgrading(older, dice)
        done++
        const { count, faults } = await stateOf(older, schemas)
        half.push(...faults)
        if (count > old && count < MIGRATIONS.length) inside++
        if (count === MIGRATIONS.length) break
      }
      half.push(...(await finish(older, schemas)))
      finished++
    })
  }
  return { kills: done, inside, half, finished, isHalfSeen }
}

async function withDatabase<T>(
  { folder, createDatabase }: UpgradesOptions,
  name: string,
  play: (database: Older) => Promise<T>,
): Promise<T> {
  const dataDir = join(folder, name)
  mkdirSync(dataDir, { mode: 0o700 })
  const database = createDatabase ? await onPostgres(dataDir, await createDatabase(name)) : onSqlite(dataDir)
  try {
    return await play(database)
  } finally {
    await database.close()
  }
}

const onSqlite = (dataDir: string): Older => ({
  engine: 'sqlite',
  dataDir,
  url: '',
  rows: <R>(text: string) => Promise.resolve(reading(dataDir, (db) => db.prepare(text).all() as R[])),
  close: () => Promise.resolve(),
})

async function onPostgres(dataDir: string, url: string): Promise<Older> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    engine: 'postgres',
    dataDir,
    url,
    rows: async <R>(text: string) => (await client.query(text)).rows as R[],
    close: () => client.end(),
  }
}

const database = (older: Older): string => join(older.dataDir, 'rookery.db')

async function execute(older: Older, ...statements: readonly string[]): Promise<void> {
  if (older.engine === 'postgres') {
    for (const statement of statements) await older.rows(statement)
    return
  }
  const db = new DatabaseSync(database(older))
  for (const statement of statements) db.exec(statement)
  db.close()
}

async function makeOlder(older: Older, count: number): Promise<void> {
  await migrateTo(count, older.url, database(older))
  await execute(
    older,
    `UPDATE commit_sequence SET updated_id = ${MARK.updatedId}`,
    `INSERT INTO meta (name, value) VALUES ('${MARK.name}', '')`,
  )
}

/** One statement of a migration, as a kill between two of them would leave it without a transaction. */
async function seesHalf(control: Older, schemas: readonly Schema[]): Promise<boolean> {
  await migrateTo(1, control.url, database(control))
  const whole = await stateOf(control, schemas)
  await execute(control, 'CREATE TABLE half (id INTEGER)')
  const { faults } = await stateOf(control, schemas)
  return whole.faults.length === 0 && faults.length > 0
}

/** Starts the console, and kills it when it has come as far as chance wants, or a moment later. */
async function killWhileUpgrading(older: Older, dice: Dice): Promise<void> {
  const applied = await countApplied(older)
  const upTo = dice.between(applied, MIGRATIONS.length)
  const killing = new AbortController()
  let hasEnded = false
  const started = start(older, killing.signal).then(
    () => undefined,
    () => undefined,
  )
  void started.finally(() => (hasEnded = true))
  if (upTo === applied) await pause(dice.between(1, OPENED_MS))
  else while (!hasEnded && (await countApplied(older)) < upTo) await turn()
  for (let turns = dice.between(0, 200); turns > 0; turns--) await turn()
  killing.abort()
  await started
  await alone(older)
}

const start = (older: Older, signal?: AbortSignal) =>
  startConsole({
    dataDir: older.dataDir,
    ...(older.url !== '' && { env: { ROOKERY_DATABASE_URL: older.url } }),
    ...(signal && { signal }),
  })

const countApplied = async (older: Older): Promise<number> =>
  Number((await older.rows<{ n: number | string }>('SELECT count(*) AS n FROM schema_migration'))[0]?.n)

/** PostgreSQL rolls back what a killed console had begun once it notices. */
async function alone(older: Older): Promise<void> {
  if (older.engine === 'sqlite') return
  const others = `SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
  while ((await older.rows<{ n: string }>(others))[0]?.n !== '0') await pause(5)
}

/** Lets the upgrade come to its end; answers what is wrong then. */
async function finish(older: Older, schemas: readonly Schema[]): Promise<string[]> {
  try {
    await (await start(older)).stop()
  } catch (error) {
    return [`it does not start: ${(error as Error).message}`]
  }
  const { count, faults } = await stateOf(older, schemas)
  const [sequence] = await older.rows<{ n: number | string }>('SELECT updated_id AS n FROM commit_sequence')
  const marks = await older.rows(`SELECT name FROM meta WHERE name = '${MARK.name}'`)
  return [
    ...faults,
    ...(count === MIGRATIONS.length ? [] : [`only ${count} migrations are applied after a whole start`]),
    ...(Number(sequence?.n) >= MARK.updatedId && marks.length === 1
      ? []
      : ['rows of the older release are gone']),
  ]
}
