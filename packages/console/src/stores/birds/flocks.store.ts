// Which Birds are in a Flock.
import type { Query, Scope } from '../../db/query.ts'
import type { BirdState, BirdTables } from './tables.ts'

/** Ids of the registered Birds of a Flock, sorted. */
export async function birdsOfFlock(db: Query, flockId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('bird')
    .select('node_id')
    .where('state', '=', 'registered')
    .where('flock_id', '=', flockId)
    .orderBy('node_id')
    .execute()
  return rows.map((row) => row.node_id)
}

/** Whether a Bird is in the Flock or in its queue. */
export async function hasBirds(db: Query, flockId: string): Promise<boolean> {
  const states: BirdState[] = ['registered', 'queued']
  const row = await db
    .selectFrom('bird')
    .select('node_id')
    .where('state', 'in', states)
    .where('flock_id', '=', flockId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** State and Flock of a Bird, if the scope may see it; undefined for a cancelled or removed one. */
export async function findFlockMembership(
  db: Query,
  scope: Scope,
  nodeId: string,
): Promise<Pick<BirdTables['bird'], 'state' | 'flock_id'> | undefined> {
  const row = await db
    .selectFrom('bird')
    .select(['state', 'flock_id'])
    .where('node_id', '=', nodeId)
    .executeTakeFirst()
  if (!row || row.state === 'cancelled' || row.state === 'removed') return undefined
  return scope === 'all' || scope.includes(row.flock_id) ? row : undefined
}

export async function moveToFlock(db: Query, nodeId: string, flockId: string, now: number): Promise<void> {
  await db
    .updateTable('bird')
    .set({ flock_id: flockId, updated_at: now })
    .where('node_id', '=', nodeId)
    .execute()
}
