// Commissioning a Bird into a Flock, queueing it while the Flock is full, removing it.
import type { World } from '@rookery/kernel/world.ts'
import type { CommandKind } from '@rookery/link/messages.ts'
import type { Row, Tx } from '../../db/query.ts'
import { cancelCommands } from './commands.store.ts'
import { notifyLinks } from './link-changes.store.ts'
import { firstQueued, freePlacesIn } from './queue.store.ts'
import { addBundles, removeBundlesOf } from '../bundles/store.ts'
import { removeTransfersOf } from '../transfers/store.ts'
import { initialSettings } from './initial-settings.ts'
import { settingsBundle } from './settings.ts'
import { changeBird, changeBirds, type BirdRow } from './store.ts'

type CommissionWorld = Pick<World, 'clock' | 'random'>

/** The command sent to a linked Bird before it is removed: stop the decoys, wipe the keys (link/README.md). */
export const DECOMMISSION = 'decommission' satisfies CommandKind

/** Queued Birds that one transaction registers, also in a Flock without a limit. */
const MAX_PROMOTED = 10_000

/** Registers Birds in a Flock, each with its first settings. The caller has checked that it has a free place for each. */
export async function commission(
  tx: Tx,
  birds: readonly BirdRow[],
  flockId: string,
  world: CommissionWorld,
): Promise<void> {
  const now = world.clock.now()
  const bundles = birds.map((bird) => settingsBundle(bird, initialSettings(bird), world))
  await changeBirds(
    tx,
    birds.map((bird, at): Row => ({
      node_id: bird.node_id,
      state: 'registered',
      flock_id: flockId,
      registered_at: now,
      updated_at: now,
      // A Bird that has its link now has been seen as a registered one: it is no ghost.
      last_seen_at: bird.live === 1 ? now : bird.last_seen_at,
      ...bundles[at]?.columns,
    })),
  )
  await addBundles(
    tx,
    bundles.map(({ row }) => row),
  )
}

/** Ids of the Birds that the Flock has now, and of those that wait in its queue. */
export interface Assigned {
  readonly assigned: string[]
  readonly queued: string[]
}

/** Registers as many of the Birds as the Flock has free places; the rest join its queue, in their order. */
export async function commissionOrQueue(
  tx: Tx,
  birds: readonly BirdRow[],
  flockId: string,
  world: CommissionWorld,
): Promise<Assigned> {
  const places = Math.min(await freePlacesIn(tx.query, flockId), birds.length)
  await commission(tx, birds.slice(0, places), flockId, world)
  const now = world.clock.now()
  await changeBirds(
    tx,
    birds.slice(places).map((bird): Row => ({
      node_id: bird.node_id,
      state: 'queued',
      flock_id: flockId,
      // A Bird that is in this queue already keeps its position.
      queued_at: bird.state === 'queued' && bird.flock_id === flockId ? bird.queued_at : now,
      updated_at: now,
    })),
  )
  const ids = birds.map((bird) => bird.node_id)
  return { assigned: ids.slice(0, places), queued: ids.slice(places) }
}

/**
 * Registers the Birds of this Flock's queue, first come first served, as far as it has free places. Whatever frees a
 * place (a Bird leaves, the limit is raised or switched off) calls it in the same transaction.
 */
export async function promoteQueued(tx: Tx, flockId: string, world: CommissionWorld): Promise<void> {
  const places = Math.min(await freePlacesIn(tx.query, flockId), MAX_PROMOTED)
  if (places > 0) await commission(tx, await firstQueued(tx.query, flockId, places), flockId, world)
}

/** Removes a registered Bird: its key is refused from now on, and the first of the Flock's queue takes its place. */
export async function removeBird(
  tx: Tx,
  bird: Pick<BirdRow, 'node_id' | 'flock_id'>,
  world: CommissionWorld,
): Promise<void> {
  const now = world.clock.now()
  await changeBird(tx.query, bird.node_id, {
    state: 'removed',
    tombstone_at: now,
    updated_at: now,
    live: 0,
    offline_since: null,
    settings: '{}',
  })
  await cancelCommands(tx.query, bird.node_id, now)
  await removeBundlesOf(tx.query, bird.node_id)
  await removeTransfersOf(tx, bird.node_id)
  await notifyLinks(tx, [bird.node_id])
  await promoteQueued(tx, bird.flock_id, world)
}
