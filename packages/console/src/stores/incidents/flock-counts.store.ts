// How many incidents of each Flock wait to be looked at, from the counts that are kept.
import type { Query } from '../../db/query.ts'

/** Unacknowledged incidents by Flock; one without any may be left out. */
export async function unacknowledgedByFlock(db: Query, flockId?: string): Promise<Map<string, number>> {
  let q = db.selectFrom('incident_count').select(['flock_id', 'n']).where('acknowledged', '=', 0)
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  return new Map((await q.execute()).map(({ flock_id, n }) => [flock_id, n]))
}
