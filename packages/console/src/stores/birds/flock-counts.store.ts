// How many registered Birds there are in each Flock, and how they are.
import { sql } from 'kysely'
import type { Query } from '../../db/query.ts'

export interface BirdCounts {
  readonly birds: number
  readonly live: number
  /** Offline, and seen since they were registered. */
  readonly dead: number
}

/** By Flock, of one Flock or of all; one without Birds is left out. */
export async function countBirdsByFlock(db: Query, flockId?: string): Promise<Map<string, BirdCounts>> {
  let q = db
    .selectFrom('bird')
    .select((e) => [
      'flock_id',
      e.fn.countAll<number>().as('birds'),
      e.fn.sum<number>('live').as('live'),
      sql<number>`sum(CASE WHEN live = 0 AND last_seen_at >= coalesce(registered_at, 0) THEN 1 ELSE 0 END)`.as(
        'dead',
      ),
    ])
    .where('state', '=', 'registered')
    .groupBy('flock_id')
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  const rows = await q.execute()
  return new Map(
    rows.map(({ flock_id, birds, live, dead }) => [
      flock_id,
      { birds: Number(birds), live: Number(live), dead: Number(dead) },
    ]),
  )
}
