// Brings a database to this release's schema, each migration in a transaction of its own, and refuses a newer one by name.
import { sql } from 'kysely'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Engine } from './engine.ts'
import { heldLeases } from './lease.store.ts'
import { words, type Migration } from './migration.ts'
import type { Query } from './query.ts'

/** Key of an advisory lock; any number that no other lock of the database has. */
const MIGRATION_LOCK = 1_927_340_215

export interface Migrated {
  /** Names, in their order. */
  readonly applied: readonly string[]
  /** Whether the database was empty: a first start, whose tables come in one transaction, all or none. */
  readonly isFirst: boolean
}

/** Stands among the migrations of a database that `rookery move` has not filled to its end: no release starts on it. */
export const UNFINISHED_MOVE = 'unfinished move'

/** Applies what is missing, in the order of names. */
export async function migrate(
  engine: Engine,
  migrations: Readonly<Record<string, Migration>>,
  now: () => number,
): Promise<Migrated> {
  const { int } = words(engine.name)
  const apply = async (query: Query, name: string): Promise<void> => {
    for (const statement of migrations[name]?.(words(engine.name)) ?? [])
      await sql.raw(statement).execute(query)
    await query.insertInto('schema_migration').values({ name, applied_at: now() }).execute()
  }
  let isFirst = false
  await engine.alter(async (query) => {
    // IF NOT EXISTS fails when two consoles create the table at the same moment.
    if (engine.name === 'postgres')
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(query)
    await sql`CREATE TABLE IF NOT EXISTS schema_migration (name TEXT PRIMARY KEY, applied_at ${sql.raw(int)} NOT NULL)`.execute(
      query,
    )
    isFirst = (await appliedMigrations(query)).length === 0
    if (isFirst) for (const name of Object.keys(migrations).sort()) await apply(query, name)
  })
  if (isFirst) return { applied: Object.keys(migrations).sort(), isFirst }
  const { missing, newer } = compare(await appliedMigrations(engine.reader), migrations)
  if (newer.length > 0) throw new Fault('conflict', newerSchema(engine.place, newer))
  for (const name of missing) {
    await engine.alter(async (query) => {
      // Another console may be applying it, or have applied it.
      if (engine.name === 'postgres') await sql`LOCK TABLE schema_migration IN EXCLUSIVE MODE`.execute(query)
      const done = await query
        .selectFrom('schema_migration')
        .select('name')
        .where('name', '=', name)
        .executeTakeFirst()
      if (!done) await apply(query, name)
    })
  }
  return { applied: missing, isFirst }
}

/**
 * Drops the tables of PostgreSQL that the migrations have made. Answers false, and drops nothing, where another console has
 * begun to use them: while it serves, it holds leases.
 */
export async function dropTables(
  engine: Engine,
  migrations: Readonly<Record<string, Migration>>,
): Promise<boolean> {
  const made = Object.values(migrations).flatMap((migration) =>
    migration(words('postgres')).flatMap(
      (statement) => /^\s*CREATE (?:UNLOGGED )?TABLE (\w+)/.exec(statement)?.[1] ?? [],
    ),
  )
  const tables = sql.join(['schema_migration', ...made].map((name) => sql.table(name)))
  let isDropped = false
  await engine.alter(async (query) => {
    await sql`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`.execute(query)
    if ((await heldLeases(query, 0)).length > 0) return
    // With the views of these tables.
    await sql`DROP TABLE ${tables} CASCADE`.execute(query)
    isDropped = true
  })
  return isDropped
}

const FIND_TABLE = {
  sqlite: sql`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration'`,
  postgres: sql`SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass('schema_migration')`,
}

/**
 * In one sentence, how the schema of a database that a console has started on differs from this release's; undefined when it
 * does not. Throws `conflict` for a database without tables.
 */
export async function schemaDifference(
  { name, reader, place }: Pick<Engine, 'name' | 'reader' | 'place'>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string | undefined> {
  if ((await FIND_TABLE[name].execute(reader)).rows.length === 0)
    throw new Fault('conflict', `${place} has no tables of Rookery. Start the console once: it makes them.`)
  const { missing, newer } = compare(await appliedMigrations(reader), migrations)
  if (newer.length > 0) return newerSchema(place, newer)
  const total = Object.keys(migrations).length
  return missing.length === 0
    ? undefined
    : `${place} was written by an older Rookery: ${missing.length} of ${total} migrations are missing, the first is ${missing[0]}. Start the console of this release once.`
}

/** Whether it holds an unfinished move of this release; throws `conflict` where another release has begun it. */
export async function holdsUnfinishedMove(
  { name, reader, place }: Pick<Engine, 'name' | 'reader' | 'place'>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<boolean> {
  if ((await FIND_TABLE[name].execute(reader)).rows.length === 0) return false
  const applied = await appliedMigrations(reader)
  if (!applied.includes(UNFINISHED_MOVE)) return false
  const { missing, newer } = compare(applied, { ...migrations, [UNFINISHED_MOVE]: () => [] })
  if (missing.length + newer.length > 0)
    throw new Fault(
      'conflict',
      `${place} holds an unfinished move of another release. Empty it, and run the move again.`,
    )
  return true
}

function compare(
  applied: readonly string[],
  migrations: Readonly<Record<string, Migration>>,
): { missing: string[]; newer: string[] } {
  return {
    missing: Object.keys(migrations)
      .sort()
      .filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !(name in migrations)),
  }
}

const newerSchema = (place: string, [first]: readonly string[]): string =>
  first === UNFINISHED_MOVE
    ? `${place} holds an unfinished move: run \`rookery move\` again, and it goes on where it stopped.`
    : `${place} was written by a newer Rookery (migration ${first}). Start that release, or restore a backup made before it.`

/** Names of the migrations that the database has, in their order. */
async function appliedMigrations(query: Query): Promise<string[]> {
  const rows = await query.selectFrom('schema_migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
