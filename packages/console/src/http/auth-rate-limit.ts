// Limits the guessing of keys: so many unknown keys a minute from one network, then 429. Valid keys are never delayed.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../addresses/source-network.ts'

export interface AuthRateLimit {
  /** Counts an unknown key; throws `too-many` past the limit. */
  count(address: string): void
}

/** Networks whose unknown keys are counted. */
const NETWORKS = limit('auth_rate_networks', 50_000)
/** Unknown keys of one IPv4 address or IPv6 /64; the next ones are answered with 429. */
const UNKNOWN_KEYS = limit('auth_unknown_keys_per_minute', 20)
const MINUTE_MS = 60_000

/** `onGuessing` is called once for the minute of a source, when it has tried as many unknown keys as it may. */
export function openAuthRateLimit(
  clock: Clock,
  onGuessing: (address: string, count: number) => void,
): AuthRateLimit {
  const unknown = windowCounter<string>(NETWORKS, MINUTE_MS)
  return {
    count(address) {
      const now = clock.now()
      const network = sourceNetwork(address)
      const count = unknown.count(network, now)
      if (count === UNKNOWN_KEYS.max) onGuessing(address, count)
      if (count <= UNKNOWN_KEYS.max) return
      UNKNOWN_KEYS.hit()
      const retryAfterS = Math.ceil((unknown.endsAt(network, now) - now) / 1000)
      throw new Fault('too-many', `Too many unknown keys from ${address}. Try again in ${retryAfterS} s.`, {
        retryAfterS,
      })
    },
  }
}
