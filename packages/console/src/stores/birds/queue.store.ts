// A Flock with a limit: its free places, and the Birds that wait for one.
import type { Query } from '../../db/query.ts'
import { findFlock } from '../flocks/store.ts'
import { SHOWN_COLUMNS, type ShownBird } from './lists.store.ts'
import { countBirds, type BirdRow } from './store.ts'

/** How many more Birds the Flock takes; Infinity without a limit. */
export async function freePlacesIn(db: Query, flockId: string): Promise<number> {
  const flock = await findFlock(db, 'all', flockId)
  if (!flock || flock.limit_enabled === 0) return Infinity
  return Math.max(0, flock.bird_limit - (await countBirds(db, 'registered', flockId)))
}

/** The first `most` Birds of this Flock's queue. */
export const firstQueued = (db: Query, flockId: string, most: number): Promise<BirdRow[]> =>
  selectQueued(db, flockId).selectAll().limit(most).execute()

/** This Flock's queue, first come first. */
export const queuedBirds = (db: Query, flockId: string): Promise<ShownBird[]> =>
  selectQueued(db, flockId).select(SHOWN_COLUMNS).execute()

const selectQueued = (db: Query, flockId: string) =>
  db
    .selectFrom('bird')
    .where('state', '=', 'queued')
    .where('flock_id', '=', flockId)
    .orderBy('queued_at')
    .orderBy('first_seen_at')
    .orderBy('node_id')
