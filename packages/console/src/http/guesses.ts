// Slows down whoever guesses keys: so many unknown keys a minute from one address, then 429. Valid keys are never held up.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../net/source-network.ts'

export interface Guesses {
  /** Counts an unknown key; throws `too-many` past the bound. */
  count(address: string): void
}

const PER_MINUTE = 20
const MINUTE_MS = 60_000
const MOST_ADDRESSES = 50_000

export function openGuesses(clock: Clock, perMinute = PER_MINUTE): Guesses {
  const seen = new Map<string, { since: number; count: number }>()
  return {
    count(address) {
      const now = clock.now()
      const source = sourceNetwork(address)
      if (seen.size > MOST_ADDRESSES) seen.clear()
      const entry = seen.get(source)
      if (!entry || now - entry.since >= MINUTE_MS) {
        seen.set(source, { since: now, count: 1 })
        return
      }
      entry.count++
      if (entry.count > perMinute) {
        const retryAfterS = Math.ceil((entry.since + MINUTE_MS - now) / 1000)
        throw new Fault('too-many', `Too many unknown keys from ${address}. Try again in ${retryAfterS} s.`, {
          retryAfterS,
        })
      }
    },
  }
}
