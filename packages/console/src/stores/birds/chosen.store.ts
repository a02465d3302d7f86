// Birds that one request changes: those of a list of ids, or all of a Flock.
import type { Query } from '../../db/query.ts'
import { birdsOfFlock } from './flocks.store.ts'

/** Birds that one request may change. */
export const MAX_BIRDS = 1_000

/** Each id once. `nodeIds` is a text, separated by commas. */
export async function chosenBirds(
  db: Query,
  { nodeIds, flockId }: { readonly nodeIds?: unknown; readonly flockId?: unknown },
): Promise<string[]> {
  if (nodeIds === undefined) return flockId === undefined ? [] : birdsOfFlock(db, String(flockId))
  const ids = String(nodeIds)
    .split(',')
    .map((id) => id.trim())
  return [...new Set(ids.filter(Boolean))]
}
