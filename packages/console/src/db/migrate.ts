// Brings a database to this release's schema, each migration in a transaction of its own, and refuses a newer one by name.
import { sql } from 'kysely'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Engine } from './engine.ts'
import { words, type Migration } from './migration.ts'
import type { Query } from './query.ts'

/** Key of an advisory lock; any number that no other lock of the database has. */
const MIGRATION_LOCK = 1_927_340_215

/** Applies what is missing, in the order of names; answers the names applied. */
export async function migrate(
  engine: Engine,
  migrations: Readonly<Record<string, Migration>>,
  now: () => number,
): Promise<string[]> {
  const { int } = words(engine.name)
  await engine.alter(async (query) => {
    // IF NOT EXISTS fails when two consoles create the table at the same moment.
    if (engine.name === 'postgres')
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(query)
    await sql`CREATE TABLE IF NOT EXISTS schema_migration (name TEXT PRIMARY KEY, applied_at ${sql.raw(int)} NOT NULL)`.execute(
      query,
    )
  })
  const known = Object.keys(migrations).sort()
  const applied = await appliedMigrations(engine.reader)
  const newer = applied.filter((name) => !(name in migrations))
  if (newer.length > 0) {
    throw new Fault(
      'conflict',
      `${engine.place} was written by a newer Rookery (migration ${newer[0]}). Start that release, or restore a backup made before it.`,
    )
  }
  const missing = known.filter((name) => !applied.includes(name))
  for (const name of missing) {
    await engine.alter(async (query) => {
      // Another console may be applying it, or have applied it.
      if (engine.name === 'postgres') await sql`LOCK TABLE schema_migration IN EXCLUSIVE MODE`.execute(query)
      const done = await query
        .selectFrom('schema_migration')
        .select('name')
        .where('name', '=', name)
        .executeTakeFirst()
      if (done) return
      for (const statement of migrations[name]?.(words(engine.name)) ?? [])
        await sql.raw(statement).execute(query)
      await query.insertInto('schema_migration').values({ name, applied_at: now() }).execute()
    })
  }
  return missing
}

/** Names of the migrations that the database has, in their order. */
export async function appliedMigrations(query: Query): Promise<string[]> {
  const rows = await query.selectFrom('schema_migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
