// How many events a second are taken of one Bird. What is over waits before it is stored, so the Bird keeps it until its ACK.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'

export interface EventAllowance {
  /** Takes a batch; answers how long it must wait, in milliseconds. */
  take(nodeId: string, events: number): number
}

/** An option sets it. */
const EVENTS_PER_SECOND = limit('bird_events_per_second', 2_000)
/** Birds whose events are counted. */
const BIRDS = limit('bird_event_allowances', 20_000)
/** So many events are taken at once of a Bird that was silent: those of one second. */
const BURST_MS = 1_000
/** With one event a second, a batch of 1,000 takes a quarter of an hour. */
const MAX_OWED_MS = 3_600_000

export function openEventAllowance(
  clock: Pick<Clock, 'now'>,
  perSecond = EVENTS_PER_SECOND.max,
): EventAllowance {
  const { max, hit } = withMax(EVENTS_PER_SECOND, perSecond)
  /** By Bird, when all that was taken of it will have been within its rate. */
  const paidAt = boundedMap<string, number>(BIRDS)
  return {
    take(nodeId, events) {
      const now = clock.now()
      const debtMs = Math.max(0, (paidAt.get(nodeId) ?? 0) - now)
      // A debt that no batch can make was made before the clock was set back.
      const owedMs = debtMs > MAX_OWED_MS ? 0 : debtMs
      paidAt.set(nodeId, now + owedMs + (events * 1_000) / max)
      const waitMs = Math.max(0, owedMs - BURST_MS)
      if (waitMs > 0) hit()
      return waitMs
    },
  }
}
