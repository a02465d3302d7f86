// Room in a Flock, and who waits for it.
import type { Query } from '../../db/query.ts'
import { findFlock } from '../flocks/store.ts'
import { countBirds, SHOWN, type BirdRow, type ShownBird } from './store.ts'

/** How many more Birds the Flock takes; Infinity without a limit. */
export async function roomIn(db: Query, flockId: string): Promise<number> {
  const flock = await findFlock(db, 'all', flockId)
  if (!flock || flock.limit_enabled === 0) return Infinity
  return Math.max(0, flock.bird_limit - (await countBirds(db, 'registered', flockId)))
}

/** The first of those that wait for this Flock. */
export const firstQueued = (db: Query, flockId: string, most: number): Promise<BirdRow[]> =>
  db
    .selectFrom('bird')
    .selectAll()
    .where('state', '=', 'queued')
    .where('flock_id', '=', flockId)
    .orderBy('queued_at')
    .orderBy('first_seen_at')
    .orderBy('node_id')
    .limit(most)
    .execute()

/** Who waits for this Flock, in the order in which they will get in. */
export const queuedBirds = (db: Query, flockId: string): Promise<ShownBird[]> =>
  db
    .selectFrom('bird')
    .select(SHOWN)
    .where('state', '=', 'queued')
    .where('flock_id', '=', flockId)
    .orderBy('queued_at')
    .orderBy('first_seen_at')
    .orderBy('node_id')
    .execute()
