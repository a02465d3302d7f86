// A Bird's way in and out: commissioned into a Flock, waiting for room in it, removed for good.
import { newSettingsTag } from '@rookery/kernel/ids.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Row, Tx } from '../../db/query.ts'
import { cancelCommands } from './commands.store.ts'
import { alertLinks } from './link.store.ts'
import { firstQueued, roomIn } from './queue.store.ts'
import { firstSettings } from './settings.ts'
import { changeBird, changeBirds, type BirdRow } from './store.ts'

type Making = Pick<World, 'clock' | 'random'>

/** What a Bird on the line is told before it is removed (link/README.md): stop the decoys, wipe the keys. */
export const FAREWELL = 'decommission'

const MOST_AT_ONCE = 10_000

/** Registers Birds in a Flock, each with its first settings. The caller has looked whether there is room. */
export async function commission(
  tx: Tx,
  birds: readonly BirdRow[],
  flockId: string,
  { clock, random }: Making,
): Promise<void> {
  const now = clock.now()
  await changeBirds(
    tx,
    birds.map((bird): Row => ({
      node_id: bird.node_id,
      state: 'registered',
      flock_id: flockId,
      registered_at: now,
      updated_at: now,
      // Whoever is on the line now has been seen as a registered Bird.
      last_seen_at: bird.live === 1 ? now : bird.last_seen_at,
      settings: JSON.stringify(firstSettings(bird)),
      settings_tag: newSettingsTag(random, now),
      settings_seq: bird.settings_seq + 1,
      settings_failure: '',
    })),
  )
  await alertLinks(
    tx,
    birds.map((bird) => bird.node_id),
  )
}

/** Registers as many of the Birds as the Flock has room for; the rest wait in its queue, in their order. */
export async function commissionOrQueue(
  tx: Tx,
  birds: readonly BirdRow[],
  flockId: string,
  making: Making,
): Promise<void> {
  const room = Math.min(await roomIn(tx.query, flockId), birds.length)
  await commission(tx, birds.slice(0, room), flockId, making)
  const now = making.clock.now()
  await changeBirds(
    tx,
    birds.slice(room).map((bird): Row => ({
      node_id: bird.node_id,
      state: 'queued',
      flock_id: flockId,
      // Whoever waits here already keeps the place.
      queued_at: bird.state === 'queued' && bird.flock_id === flockId ? bird.queued_at : now,
      updated_at: now,
    })),
  )
}

/**
 * Registers those who wait for this Flock, first come first served, as far as there is room. Whoever makes room
 * (a Bird leaves, a limit is raised or switched off) calls it in the same transaction.
 */
export async function promoteQueued(tx: Tx, flockId: string, making: Making): Promise<void> {
  const room = Math.min(await roomIn(tx.query, flockId), MOST_AT_ONCE)
  if (room > 0) await commission(tx, await firstQueued(tx.query, flockId, room), flockId, making)
}

/** Removes a registered Bird: its key is refused from now on, and its place goes to the first who waits. */
export async function removeBird(
  tx: Tx,
  bird: Pick<BirdRow, 'node_id' | 'flock_id'>,
  making: Making,
): Promise<void> {
  const now = making.clock.now()
  await changeBird(tx.query, bird.node_id, {
    state: 'removed',
    tombstone_at: now,
    updated_at: now,
    live: 0,
    offline_since: null,
    settings: '{}',
  })
  await cancelCommands(tx.query, bird.node_id, now)
  await alertLinks(tx, [bird.node_id])
  await promoteQueued(tx, bird.flock_id, making)
}
