// Counters of incidents that are not deleted, by Flock and state, and the last `updated_id`: so that no request counts rows.
import type { Query, Scope, Tx } from '../../db/query.ts'
import { nonEmpty } from './filter.store.ts'

/** Adds `n` to each counter. */
export const addToCounts = (
  tx: Tx,
  counts: readonly { readonly flock_id: string; readonly acknowledged: number; readonly n: number }[],
): Promise<void> =>
  tx.insertMany('incident_count', counts, {
    key: ['flock_id', 'acknowledged'],
    then: 'replace',
    adding: ['n'],
  })

/** The largest `updated_id` that is committed. */
export async function lastUpdatedId(db: Query): Promise<number> {
  const row = await db
    .selectFrom('commit_sequence')
    .select('updated_id')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.updated_id
}

/** Unacknowledged incidents by Flock; a Flock without any may be missing. */
export async function unacknowledgedByFlock(db: Query, flockId?: string): Promise<Map<string, number>> {
  let q = db.selectFrom('incident_count').select(['flock_id', 'n']).where('acknowledged', '=', 0)
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  return new Map((await q.execute()).map(({ flock_id, n }) => [flock_id, n]))
}

/** How many incidents are not deleted: in these Flocks, of one state or of both. */
export async function countIncidents(
  db: Query,
  scope: Scope,
  { acknowledged, flockId }: { readonly acknowledged?: 0 | 1; readonly flockId?: string },
): Promise<number> {
  let q = db.selectFrom('incident_count').select((it) => it.fn.sum<number | null>('n').as('total'))
  if (scope !== 'all') q = q.where('flock_id', 'in', nonEmpty(scope))
  if (acknowledged !== undefined) q = q.where('acknowledged', '=', acknowledged)
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  return Number((await q.executeTakeFirst())?.total ?? 0)
}
