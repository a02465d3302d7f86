// Keeps strangers from filling the pending list: a source may bring only so many new keys an hour.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../../addresses/source-network.ts'

export interface FloodGuard {
  /** Counts a new key from this address; false when its source (IPv6: the /64) brings too many. */
  admits(address: string): boolean
}

/** Unknown Birds of one address (IPv6: a /64); further ones are refused. */
const NEW_KEYS_PER_HOUR = limit('link_new_keys_per_hour', 10)
/** Past these, all further sources share one allowance: so many at once are one attacker. */
const SOURCES = limit('link_flood_guard_sources', 50_000)
const HOUR_MS = 3_600_000

export function openFloodGuard(clock: Clock): FloodGuard {
  const newKeys = windowCounter<string>(SOURCES, HOUR_MS)
  return {
    admits(address) {
      if (newKeys.count(sourceNetwork(address), clock.now()) <= NEW_KEYS_PER_HOUR.max) return true
      NEW_KEYS_PER_HOUR.hit()
      return false
    },
  }
}
