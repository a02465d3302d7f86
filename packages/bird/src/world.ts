// The Bird's real surroundings.
import { randomBytes } from 'node:crypto'
import type { Clock, Random } from '@rookery/kernel/world.ts'

/** Wall time as the kernel knows it, and monotonic milliseconds that no clock setting moves. */
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
