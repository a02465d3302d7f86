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

  /** What an arrival counts against. */
  const countersOf = ({ touch, sentByBird }: Arrival): (readonly [key: string, limit: Limit])[] => [
    [surgeKey(touch), INCIDENTS],
    ...(sentByBird ? [[touch.nodeId, birdLimit] as const] : []),
  ]

  return {
    admits: (arrival) =>
      countersOf(arrival).every(([key, { max, hit }]) => {
        const isAdmitted = created.count(key, arrival.receivedAt) <= max
        if (!isAdmitted) hit()
        return isAdmitted
      }),
    mayPass(arrivals) {
      const sizes = new Map<string, number>()
      for (const arrival of arrivals)
        for (const [key] of countersOf(arrival)) sizes.set(key, (sizes.get(key) ?? 0) + 1)
      return arrivals.filter((arrival) =>
        countersOf(arrival).some(
          ([key, { max }]) => created.peek(key, arrival.receivedAt) + (sizes.get(key) ?? 0) > max,
        ),
      )
    },
  }
}
