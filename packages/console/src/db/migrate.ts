// Brings a database to this release's schema, each migration in a transaction of its own, and refuses a newer one by name.
import { sql } from 'kysely'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Engine } from './engine.ts'
import { words, type Migration } from './migration.ts'

/** Applies what is missing, in the order of names; answers the names applied. */
export async function migrate(
  engine: Engine,
  migrations: Readonly<Record<string, Migration>>,
  now: () => number,
): Promise<string[]> {
  const int = words(engine.name).int
  await engine.transaction(async (tx) => {
    await sql`CREATE TABLE IF NOT EXISTS schema_migration (name TEXT PRIMARY KEY, applied_at ${sql.raw(int)} NOT NULL)`.execute(tx.query)
  })
  const known = Object.keys(migrations).sort()
  const applied = await engine.reader.selectFrom('schema_migration').select('name').orderBy('name').execute()
  const newer = applied.filter(({ name }) => !(name in migrations))
  if (newer.length > 0) {
    throw new Fault(
      'conflict',
      `${engine.place} was written by a newer Rookery (migration ${newer[0]?.name}). Start that release, or restore a backup made before it.`,
    )
  }
  const missing = known.filter((name) => !applied.some((row) => row.name === name))
  for (const name of missing) {
    await engine.transaction(async (tx) => {
      // Another console may have been first.
      const done = await tx.query.selectFrom('schema_migration').select('name').where('name', '=', name).executeTakeFirst()
      if (done) return
      for (const statement of migrations[name]?.(words(engine.name)) ?? []) await sql.raw(statement).execute(tx.query)
      await tx.insertMany('schema_migration', [{ name, applied_at: now() }])
    })
  }
  return missing
}
