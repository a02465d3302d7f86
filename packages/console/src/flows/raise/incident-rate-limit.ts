// New incidents of one node and logtype in a minute: past the limit, the rest go into one incident of `many sources`.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'

export interface IncidentRateLimit {
  /** Counts one more; true up to the limit of its minute. */
  admits(key: string, atMs: number): boolean
  /** Whether `more` of this key may pass the limit now. */
  mayPass(key: string, more: number, atMs: number): boolean
}

const KEYS = limit('incident_rate_keys', 100_000)
const INCIDENTS = limit('incidents_per_minute', 200)
const MINUTE_MS = 60_000

export function openIncidentRateLimit(): IncidentRateLimit {
  const created = windowCounter<string>(KEYS, MINUTE_MS)
  return {
    admits(key, atMs) {
      const isAdmitted = created.count(key, atMs) <= INCIDENTS.max
      if (!isAdmitted) INCIDENTS.hit()
      return isAdmitted
    },
    mayPass: (key, more, atMs) => created.peek(key, atMs) + more > INCIDENTS.max,
  }
}
