// How many Birds of a Flock are there, and how they are.
import { sql } from 'kysely'
import type { Query } from '../../db/query.ts'

export interface BirdCounts {
  /** Registered. */
  readonly birds: number
  readonly live: number
  /** Seen since they were registered, and offline now. */
  readonly dead: number
}

export async function countBirds(db: Query, flockId: string): Promise<BirdCounts> {
  const row = await db
    .selectFrom('bird')
    .select([
      sql<number>`count(*)`.as('birds'),
      sql<number>`coalesce(sum(live), 0)`.as('live'),
      sql<number>`coalesce(sum(CASE WHEN live = 0 AND last_seen_at >= coalesce(registered_at, 0) THEN 1 ELSE 0 END), 0)`.as(
        'dead',
      ),
    ])
    .where('state', '=', 'registered')
    .where('flock_id', '=', flockId)
    .executeTakeFirstOrThrow()
  return { birds: Number(row.birds), live: Number(row.live), dead: Number(row.dead) }
}
