// How many key exchanges a second an SSH decoy takes part in: each costs some milliseconds of the Bird's one thread.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'

const PER_SOURCE = limit('ssh_key_exchanges_per_source', 10)
const PER_BIRD = limit('ssh_key_exchanges', 50)
const SOURCES = limit('ssh_key_exchange_sources', 4_096)
const BIRD = limit('ssh_key_exchange_birds', 1)
const SECOND_MS = 1_000

export interface ExchangeBudget {
  /** Counts a new connection of the source, which may exchange keys once; false when it must not. */
  admitsConnection(source: string, nowMs: number): boolean
  /** Counts an exchange that begins; false when it must not. */
  admitsExchange(nowMs: number): boolean
}

export function exchangeBudget(): ExchangeBudget {
  const connections = windowCounter<string>(SOURCES, SECOND_MS)
  const exchanges = windowCounter<'all'>(BIRD, SECOND_MS)
  return {
    admitsConnection(source, nowMs) {
      if (exchanges.peek('all', nowMs) >= PER_BIRD.max) {
        PER_BIRD.hit()
        return false
      }
      if (connections.count(source, nowMs) <= PER_SOURCE.max) return true
      PER_SOURCE.hit()
      return false
    },
    admitsExchange(nowMs) {
      if (exchanges.count('all', nowMs) <= PER_BIRD.max) return true
      PER_BIRD.hit()
      return false
    },
  }
}
