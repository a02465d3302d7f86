// Conditions of a Bird, as its row tells them.
import type { ShownBird } from '../../stores/birds/lists.store.ts'

/** Commissioned, and not seen since. */
export const isGhost = (bird: Pick<ShownBird, 'live' | 'last_seen_at' | 'registered_at'>): boolean =>
  bird.live === 0 && bird.last_seen_at < (bird.registered_at ?? 0)

/** Seen before, offline now. */
export const isDead = (bird: Pick<ShownBird, 'live' | 'last_seen_at' | 'registered_at'>): boolean =>
  bird.live === 0 && !isGhost(bird)

/** Milliseconds since it booted, up to its last sign of life when it is offline; 0 before its first HELLO. */
export const upFor = (bird: Pick<ShownBird, 'live' | 'last_seen_at' | 'booted_at'>, now: number): number =>
  bird.booted_at === null ? 0 : Math.max(0, (bird.live === 1 ? now : bird.last_seen_at) - bird.booted_at)

/** `reachable_from`, in the words of the API. */
export const REACHABLE_FROM: Readonly<Record<ShownBird['reach'], string>> = {
  '': '',
  network: 'network',
  'own-machine': 'own machine',
}
