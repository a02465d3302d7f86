// Opens what every part needs: database, writer, vault, cache of the configuration.
import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { World } from '@rookery/kernel/world.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from './app-context.ts'
import { openBackground } from './background/background.ts'
import type { Config } from './config/config.ts'
import type { DataFolder } from './data-folder.ts'
import { openConfigCache } from './db/config-cache.ts'
import { databaseClock } from './db/database-clock.ts'
import type { Engine } from './db/engine.ts'
import { migrate, schemaDifference } from './db/migrate.ts'
import { migrations } from './db/migrations.gen.ts'
import type { PostgresOptions } from './db/postgres/engine.ts'
import { keepReserve, noReserve } from './db/reserve.ts'
import { diagnose } from './db/sqlite/errors.ts'
import { describeTornLog, keepTornLog } from './db/sqlite/torn-log.ts'
import { openWriter, outageFault } from './db/writer.ts'
import { PASSWORD_COST, type PasswordCost } from './secrets/passwords.ts'
import type { Vault } from './secrets/vault.ts'
import { openMasterVault } from './setup/open-master-vault.ts'
import { appendAudit } from './stores/audit/store.ts'

export interface OpenContext extends AppContext {
  /** Whether ingest is refused because the disk is full. */
  readonly isFull: () => boolean
  /** The fault behind a failure of the database; undefined for every other error. */
  readonly outage: (error: unknown) => Fault | undefined
  /** What was lost in a damaged log of SQLite; undefined where nothing was. */
  readonly lostInLog: string | undefined
  readonly close: () => Promise<void>
}

/** A larger difference of the clocks is logged at the start. */
const CLOCK_WARNING_MS = 2_000

/** Whose clock says the time: consoles that share a PostgreSQL agree on its time. SQLite's is the process's. */
export type TimeSource = 'database' | 'process'

/**
 * A server brings the schema to this release's, and keeps the reserve. A command makes one change, also next to a serving
 * console, and refuses another schema than this release's. An examination takes any schema, and changes nothing.
 */
export type Role = 'server' | 'command' | 'examination'

export interface OpenContextOptions {
  readonly role?: Role
  readonly time?: TimeSource
  /** Tests take less. */
  readonly passwordCost?: PasswordCost
  /** Called when this start, and no other one, has made the tables. */
  readonly onSchemaMade?: () => void
}

export async function openContext(
  config: Config,
  folder: DataFolder,
  given: World,
  log: Logger,
  {
    role = 'server',
    time = 'database',
    passwordCost = PASSWORD_COST,
    onSchemaMade = () => undefined,
  }: OpenContextOptions = {},
): Promise<OpenContext> {
  const url = config.ROOKERY_DATABASE_URL
  await using opened = new AsyncDisposableStack()
  const clock = databaseClock(given.clock)
  const world = { ...given, clock }
  if (role !== 'server' && url === '' && !existsSync(folder.database))
    throw new Fault(
      'conflict',
      `There is no database at ${folder.database}. Start the console once: it makes it.`,
    )
  const torn = url === '' ? keepTornLog(folder.database) : undefined
  const lostInLog = torn && describeTornLog(folder.database, torn)
  if (lostInLog !== undefined) log.error(lostInLog)
  const engine = await openEngine(url, folder.database, {
    ...(time === 'database' && { onTime: clock.observe }),
  })
  opened.defer(engine.close)
  let vault: Vault
  try {
    const isSameSchema = await prepareSchema(engine, role, () => clock.now(), log, onSchemaMade)
    // The first answer that brings the database's time, before anything asks for it.
    if (isSameSchema) await engine.commitSequence()
    if (Math.abs(clock.offsetMs()) > CLOCK_WARNING_MS)
      log.warn(
        { offsetMs: clock.offsetMs() },
        'the clock of this machine differs from that of the database, whose time counts; set this clock by NTP',
      )
    vault = await openMasterVault({
      engine,
      folder,
      random: world.random,
      given: config.ROOKERY_MASTER_KEY || undefined,
      mayMake: role === 'server',
      mayAdopt: role !== 'examination',
    })
  } catch (error) {
    throw outageOf(engine, error) ?? error
  }
  const background = openBackground(clock)
  const reserve =
    url === '' && role === 'server'
      ? await keepReserve(folder.reserve, folder.path, { clock, background }, (full) =>
          full
            ? log.error(
                { path: folder.path },
                'disk is full; ingest stops, acknowledge and delete go on; free some space',
              )
            : log.info({ path: folder.path }, 'disk has room again; ingest goes on'),
        )
      : noReserve
  const cache = openConfigCache(engine, { clock, background })
  const writer = openWriter(
    engine,
    reserve,
    (tx, entries) => appendAudit(tx, vault, entries),
    () => cache.invalidate(),
  )
  opened.defer(writer.close)
  opened.defer(background.stop)
  // These are not waited for: the disk or the database may not answer.
  opened.defer(cache.stop)
  opened.defer(reserve.stop)
  const running = opened.move()
  return {
    engine,
    reader: engine.reader,
    writer,
    vault,
    config: cache,
    world,
    log,
    background,
    passwordCost,
    lostInLog,
    isFull: () => reserve.released(),
    outage: (error) => outageOf(engine, error),
    close: () => running.disposeAsync(),
  }
}

/** Answers whether the database has this release's schema. */
async function prepareSchema(
  engine: Engine,
  role: Role,
  now: () => number,
  log: Logger,
  onMade: () => void,
): Promise<boolean> {
  if (role !== 'server') {
    const difference = await schemaDifference(engine, migrations)
    if (difference !== undefined && role === 'command') throw new Fault('conflict', difference)
    return difference === undefined
  }
  const { applied, isFirst } = await migrate(engine, migrations, now)
  if (isFirst) onMade()
  if (applied.length > 0) {
    log.debug({ applied }, 'migrations of this start')
    log.info({ migrations: applied.length }, 'database migrated to this release')
  }
  return true
}

function outageOf(engine: Engine, error: unknown): Fault | undefined {
  const meaning = engine.diagnose(error)
  return meaning === 'other' ? undefined : outageFault(meaning, engine.place, error)
}

/** Only the driver that is used is loaded. */
export async function openEngine(url: string, path: string, options?: PostgresOptions): Promise<Engine> {
  if (url !== '') return (await import('./db/postgres/engine.ts')).openPostgres(url, options)
  const { openSqlite } = await import('./db/sqlite/engine.ts')
  try {
    return openSqlite(path)
  } catch (error) {
    const meaning = diagnose(error)
    throw meaning === 'other' ? error : outageFault(meaning, path, error)
  }
}
