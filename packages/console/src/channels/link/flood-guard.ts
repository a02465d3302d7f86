// Keeps strangers from filling the pending list: so many new keys an hour from one address.
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../../net/source-network.ts'

export interface FloodGuard {
  /** Counts a new key from this address; false when it brings too many. */
  admits(address: string): boolean
}

const PER_HOUR = 10
const HOUR_MS = 3_600_000
const MOST_ADDRESSES = 50_000

export function openFloodGuard(clock: Clock, perHour = PER_HOUR): FloodGuard {
  const seen = new Map<string, { since: number; count: number }>()
  return {
    admits(address) {
      const now = clock.now()
      const source = sourceNetwork(address)
      if (seen.size >= MOST_ADDRESSES) {
        for (const [key, { since }] of seen) if (now - since >= HOUR_MS) seen.delete(key)
        // So many addresses in an hour are one attacker's: better all of them wait than that memory grows.
        if (seen.size >= MOST_ADDRESSES && !seen.has(source)) return false
      }
      const entry = seen.get(source)
      if (!entry || now - entry.since >= HOUR_MS) {
        seen.set(source, { since: now, count: 1 })
        return true
      }
      return ++entry.count <= perHour
    },
  }
}
