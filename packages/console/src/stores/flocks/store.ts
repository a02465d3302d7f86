// Flocks: every query on their table.
import type { Query, Scope } from '../../db/query.ts'
import type { FlockTables } from './tables.ts'

export type Flock = FlockTables['flock']

/** The Flock, if the scope may see it. */
export async function findFlock(db: Query, scope: Scope, flockId: string): Promise<Flock | undefined> {
  if (scope !== 'all' && !scope.includes(flockId)) return undefined
  return db.selectFrom('flock').selectAll().where('flock_id', '=', flockId).executeTakeFirst()
}

/** Every Flock in the scope, by name. */
export async function listFlocks(db: Query, scope: Scope): Promise<Flock[]> {
  const flocks = db.selectFrom('flock').selectAll().orderBy('name').orderBy('flock_id')
  return (scope === 'all' ? flocks : flocks.where('flock_id', 'in', [...scope])).execute()
}

/** Changes the given columns of a Flock. */
export async function changeFlock(
  db: Query,
  flockId: string,
  change: Partial<Omit<Flock, 'flock_id' | 'created_at'>>,
): Promise<void> {
  await db.updateTable('flock').set(change).where('flock_id', '=', flockId).execute()
}

/** Names of all Flocks by their id, for views. */
export async function flockNames(db: Query): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('flock').select(['flock_id', 'name']).execute()
  return new Map(rows.map((row) => [row.flock_id, row.name]))
}
