// Flocks: every query on their table.
import { Fault } from '@rookery/kernel/fault.ts'
import { inList } from '../../db/in-list.ts'
import type { Query, Scope, Tx } from '../../db/query.ts'
import type { FlockTables } from './tables.ts'

export type Flock = FlockTables['flock']

/** The Flock, if the scope may see it. */
export async function findFlock(db: Query, scope: Scope, flockId: string): Promise<Flock | undefined> {
  if (scope !== 'all' && !scope.includes(flockId)) return undefined
  return db.selectFrom('flock').selectAll().where('flock_id', '=', flockId).executeTakeFirst()
}

/** The Flock; throws `noFlock()` if it does not exist or is out of scope. */
export async function existingFlock(db: Query, scope: Scope, flockId: string): Promise<Flock> {
  const flock = await findFlock(db, scope, flockId)
  if (!flock) throw noFlock()
  return flock
}

/** The `not-found` for a Flock that does not exist, or that the scope does not include. */
export const noFlock = (): Fault => new Fault('not-found', 'Flock does not exist.')

/** Every Flock in the scope, by name. */
export async function listFlocks(db: Query, scope: Scope): Promise<Flock[]> {
  const flocks = db.selectFrom('flock').selectAll().orderBy('name').orderBy('flock_id')
  return (scope === 'all' ? flocks : flocks.where('flock_id', 'in', [...scope])).execute()
}

const FOLLOWING = {
  webhooks_mode: 'global',
  flock_settings_alerts: 'global',
  device_settings_alerts: 'global',
  incident_days: null,
  delivery_days: null,
} as const

export async function addFlock(
  db: Query,
  flock: Pick<Flock, 'flock_id' | 'name' | 'created_at'>,
): Promise<void> {
  await db
    .insertInto('flock')
    .values({ ...flock, note: '', bird_limit: 0, limit_enabled: 0, ...FOLLOWING })
    .execute()
}

export async function removeFlock(db: Query, flockId: string): Promise<void> {
  await db.deleteFrom('flock').where('flock_id', '=', flockId).execute()
}

/** Which of these Flocks there are: id to name. */
export async function flockNamesOf(
  tx: Tx,
  flockIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query
    .selectFrom('flock')
    .select(['flock_id', 'name'])
    .where(inList(tx.engine, 'flock_id', flockIds))
    .execute()
  return new Map(rows.map((row) => [row.flock_id, row.name]))
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
