// The real world of a Bird: its clock and its source of random bytes.
import { randomBytes } from 'node:crypto'
import type { Clock, Random } from '@rookery/kernel/world.ts'

/** Wall time, and monotonic milliseconds, which setting the wall clock does not move. */
export interface BirdClock extends Clock {
  monotonicMs(): number
}

export const systemClock: BirdClock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms).unref()
    return () => clearTimeout(timer)
  },
}

export const systemRandom: Random = { bytes: (length) => randomBytes(length) }
