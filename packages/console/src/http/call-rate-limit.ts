// Limits the calls of a key: so many a second, with a burst before. A leaky bucket as a meter (ITU-T I.371, annex A).
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'

export interface CallRate {
  readonly callsPerSecond: number
  /** Calls that may come at once after a pause. */
  readonly callsBurst: number
}

/** Keys whose buckets are not empty; `ROOKERY_CALLS_PER_SECOND` and `ROOKERY_CALLS_BURST` set the rate. */
const KEYS = limit('call_rate_keys', 10_000)
/** Counts the calls that were refused. */
const BURST = limit('calls_of_a_key_burst', 500)

/** Counts a call of the key; throws `too-many` past the limit. */
export function openCallRateLimit(
  clock: Clock,
  { callsPerSecond, callsBurst }: CallRate,
): (keyId: string) => void {
  const everyMs = 1000 / callsPerSecond
  /** When the bucket of the key is empty again. */
  const emptyAt = boundedMap<string, number>(KEYS)
  return (keyId) => {
    const now = clock.now()
    const fullMs = callsBurst * everyMs
    const stored = emptyAt.get(keyId) ?? now
    // More than a full bucket: the clock was set back, which must not lock the key out.
    const before = stored > now + fullMs ? now : Math.max(stored, now)
    const after = before + everyMs
    const waitMs = after - (now + fullMs)
    if (waitMs <= 0) return emptyAt.set(keyId, after)
    emptyAt.set(keyId, before)
    BURST.hit()
    throw new Fault(
      'too-many',
      `Key ${keyId} made more than ${callsPerSecond} calls a second (ROOKERY_CALLS_PER_SECOND).`,
      { retryAfterS: Math.ceil(waitMs / 1000) },
    )
  }
}
