// New incidents a minute: past a limit, the rest go into one incident of `many sources` for each node and logtype.
import { limit, withMax, type Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import { surgeKey } from '../../stores/incidents/aggregation.ts'
import type { Arrival } from './arrival.ts'

export interface IncidentRateLimit {
  /** Counts one more; true up to the limits of its minute. */
  admits(arrival: Arrival): boolean
  /** The arrivals, of those received together, that may pass a limit now. */
  mayPass(arrivals: readonly Arrival[]): readonly Arrival[]
}

/** Birds, and pairs of node and logtype, whose new incidents are counted. */
const KEYS = limit('incident_rate_keys', 100_000)
/** Of one node and logtype. */
const INCIDENTS = limit('incidents_per_minute', 200)
/** Of all logtypes and services that one Bird reports; an option sets it. */
const INCIDENTS_OF_BIRD = limit('bird_incidents_per_minute', 200)
const MINUTE_MS = 60_000

export function openIncidentRateLimit(ofBird = INCIDENTS_OF_BIRD.max): IncidentRateLimit {
  const created = windowCounter<string>(KEYS, MINUTE_MS)
  const birdLimit = withMax(INCIDENTS_OF_BIRD, ofBird)

  function admits(key: string, { max, hit }: Limit, receivedAt: number): boolean {
    const isAdmitted = created.count(key, receivedAt) <= max
    if (!isAdmitted) hit()
    return isAdmitted
  }

  return {
    admits: ({ touch, sentByBird, receivedAt }) =>
      admits(surgeKey(touch), INCIDENTS, receivedAt) &&
      (!sentByBird || admits(touch.nodeId, birdLimit, receivedAt)),
    mayPass(arrivals) {
      const keys = arrivals.map(({ touch }) => surgeKey(touch))
      const sizes = new Map<string, number>()
      const count = (key: string): unknown => sizes.set(key, (sizes.get(key) ?? 0) + 1)
      keys.forEach(count)
      for (const { touch, sentByBird } of arrivals) if (sentByBird) count(touch.nodeId)
      const passes = (key: string, { max }: Limit, receivedAt: number): boolean =>
        created.peek(key, receivedAt) + (sizes.get(key) ?? 0) > max
      return arrivals.filter(
        ({ touch, sentByBird, receivedAt }, at) =>
          passes(keys[at] ?? '', INCIDENTS, receivedAt) ||
          (sentByBird && passes(touch.nodeId, birdLimit, receivedAt)),
      )
    },
  }
}
