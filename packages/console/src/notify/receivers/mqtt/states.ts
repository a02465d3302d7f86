// The states of a Flock and its Birds, as they are now.
import type { AppContext } from '../../../app-context.ts'
import { countBirdsByFlock } from '../../../stores/birds/flock-counts.store.ts'
import { birdPages } from '../../../stores/birds/lists.store.ts'
import { openByLogtype } from '../../../stores/birds/rows.store.ts'
import { findFlock } from '../../../stores/flocks/store.ts'
import { unacknowledgedByFlock } from '../../../stores/incidents/counts.store.ts'
import type { BirdState, FlockState } from './topics.ts'

/** Undefined where the Flock is gone. */
export async function readStates(
  { engine, reader }: Pick<AppContext, 'engine' | 'reader'>,
  flockId: string,
): Promise<{ readonly flock: FlockState; readonly birds: readonly BirdState[] } | undefined> {
  const flock = await findFlock(reader, 'all', flockId)
  if (!flock) return undefined
  const counts = (await countBirdsByFlock(reader, flockId)).get(flockId)
  const unacknowledged = (await unacknowledgedByFlock(reader, flockId)).get(flockId)
  const birds: BirdState[] = []
  for await (const page of birdPages(reader, engine.name, 'all', { state: 'registered', flockId })) {
    const ids = page.map((it) => it.node_id)
    const open = ids.length === 0 ? [] : await openByLogtype(reader, engine.name, ids)
    const numbers = new Map<string, number>()
    for (const { node_id, n } of open) numbers.set(node_id, (numbers.get(node_id) ?? 0) + n)
    for (const { node_id: id, name, live, ip_address: address, version } of page) {
      const state = { id, name, flock_id: flockId, live: live === 1, address, version }
      birds.push({ ...state, unacknowledged_incidents: numbers.get(id) ?? 0 })
    }
  }
  return {
    flock: {
      id: flockId,
      name: flock.name,
      birds: counts?.birds ?? 0,
      live_birds: counts?.live ?? 0,
      unacknowledged_incidents: unacknowledged ?? 0,
    },
    birds,
  }
}
