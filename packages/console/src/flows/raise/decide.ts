// Decides which incidents a batch of touches creates and changes. Pure: no I/O, no clock.
import type { IncidentNotice } from '../../notify/queue/outbox.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import { MANY_SOURCES, surgeKey } from '../../stores/incidents/aggregation.ts'
import { isShared, type StoredSources } from '../../stores/incidents/shared.store.ts'
import { takingKey, type Arrival } from './arrival.ts'
import { newIncident, type Begun, type Mutable } from './new-incident.ts'
import { sourceRecorder } from './source-recorder.ts'
import type { ChangedIncident, EventRow, NewIncident, OpenIncident, Plan } from './plan.ts'
import type { IncidentRateLimit } from './incident-rate-limit.ts'

export interface DecideInput {
  /** Open incidents by aggregation key, the surge keys' too. */
  readonly open: ReadonlyMap<string, OpenIncident>
  /** What is stored of the batch's sources, by incident. */
  readonly sources: ReadonlyMap<number, StoredSources>
  /** The first of `arrivals.length` reserved numbers. */
  readonly firstUpdatedId: number
  readonly names: IncidentNames
  readonly rateLimit: IncidentRateLimit
  /** Silence after which an incident takes no more touches, milliseconds. */
  readonly quietMs: number
}

/** An incident while the batch is being decided: counted in memory, written once. */
interface Draft {
  readonly row: Mutable<ChangedIncident>
  readonly srcHost: string
  /** Of a new one: the whole row, and its notice. */
  readonly fresh: { readonly row: NewIncident; readonly notice: IncidentNotice } | undefined
}

const FIRST_KEPT = 100
const LAST_KEPT = 900

/** The slot of an incident's nth event: the first 100 stay, the last 900 are a ring. */
export const slotOf = (nth: number): number =>
  nth <= FIRST_KEPT ? nth : FIRST_KEPT + 1 + ((nth - FIRST_KEPT - 1) % LAST_KEPT)

/** Decides what a batch of touches, in their order of arrival, does to the incidents. */
export function decide(arrivals: readonly Arrival[], input: DecideInput): Plan {
  const drafts = new Map<string, Draft>()
  const events = new Map<string, EventRow>()
  const sources = sourceRecorder(input.sources)

  arrivals.forEach((arrival, index) => {
    const at = Math.min(arrival.touch.at, arrival.receivedAt)
    const updatedId = input.firstUpdatedId + index
    const { key, draft } = place(arrival, at, updatedId)
    const { row } = draft
    row.events_count++
    row.updated_id = updatedId
    row.updated_at = arrival.receivedAt
    row.last_at = Math.max(row.last_at, arrival.receivedAt)
    drafts.set(key, draft)
    sources.add(row.incident_id, draft.srcHost, arrival.touch.srcHost)
    const slot = slotOf(row.events_count)
    events.set(`${row.incident_id}/${slot}`, {
      incident_id: row.incident_id,
      slot,
      nth: row.events_count,
      at,
      received_at: arrival.receivedAt,
      body: eventBody(arrival, draft.srcHost),
    })
  })

  /** The incident that takes this touch: one of this batch, an open one, or a new one. */
  function place(arrival: Arrival, at: number, updatedId: number): { key: string; draft: Draft } {
    const own = takingKey(arrival)
    const taking = drafts.get(own) ?? reopen(input.open.get(own), arrival, arrival.joins)
    if (taking) return { key: own, draft: taking }
    if (input.rateLimit.admits(arrival)) {
      const { srcHost } = arrival.touch
      return { key: own, draft: begin(arrival, { at, updatedId, aggregationKey: own, srcHost }) }
    }
    const many = surgeKey(arrival.touch)
    const merged = drafts.get(many) ?? reopen(input.open.get(many), arrival)
    const shared = { at, updatedId, aggregationKey: many, srcHost: MANY_SOURCES }
    return { key: many, draft: merged ?? begin(arrival, shared) }
  }

  /** An incident stays in its Flock: what is touched in another one is the business of other people. */
  function reopen(
    open: OpenIncident | undefined,
    { subject, receivedAt: now }: Arrival,
    joins?: string,
  ): Draft | undefined {
    if (open?.flock_id !== subject.flockId || (joins === undefined && now - open.last_at > input.quietMs))
      return undefined
    const { incident_id, src_host: srcHost, events_count, last_at } = open
    const row = { incident_id, events_count, updated_at: now, updated_id: 0, last_at }
    return { row, srcHost, fresh: undefined }
  }

  function begin(arrival: Arrival, begun: Begun): Draft {
    const fresh = newIncident(arrival, input.names, begun)
    return { row: fresh.row, srcHost: begun.srcHost, fresh }
  }

  const created: NewIncident[] = []
  const notices: IncidentNotice[] = []
  const changed: ChangedIncident[] = []
  for (const { row, fresh } of drafts.values()) {
    if (!fresh) {
      changed.push(row)
      continue
    }
    created.push(fresh.row)
    notices.push(fresh.notice)
  }
  return { created, notices, changed, events: [...events.values()], sources: sources.added }
}

/**
 * An event of a shared incident says where it came from, since the incident's `src_host` does not; one of a Bird, which may have
 * several addresses, says which of them was touched.
 */
function eventBody({ touch, subject }: Arrival, incidentSource: string): string {
  const { fields, srcHost, srcPort, dstHost } = touch
  return JSON.stringify({
    ...fields,
    ...(isShared(incidentSource) && { src_host: srcHost, src_port: srcPort }),
    ...(subject.memo === null && dstHost !== '' && { dst_host: dstHost }),
  })
}
