// The result of `decide`: rows to store.
import type { IncidentNotice } from '../../notify/queue/outbox.ts'
import type { SourceRow } from '../../stores/incidents/shared.store.ts'

export interface OpenIncident {
  readonly incident_id: number
  readonly flock_id: string
  readonly src_host: string
  readonly last_at: number
  readonly events_count: number
}

/** What a touch changes of its incident's row. */
export type ChangedIncident = {
  readonly incident_id: number
  readonly events_count: number
  readonly updated_at: number
  readonly updated_id: number
  readonly last_at: number
}

/** The row of a new incident; other columns have the table's defaults. */
export type NewIncident = ChangedIncident & {
  readonly incident_key: string
  readonly hash_id: string
  readonly logtype: string
  readonly summary: string
  readonly node_id: string
  readonly flock_id: string
  readonly name: string
  readonly memo: string | null
  readonly src_host: string
  readonly src_port: number
  readonly dst_host: string
  readonly dst_port: number
  readonly ip_address: string
  readonly ippers: string
  readonly mac_address: string
  readonly created_at: number
  readonly agg_key: string
  /** Names of annotations, separated by commas. */
  readonly annotations: string
}

export type EventRow = {
  readonly incident_id: number
  readonly slot: number
  readonly nth: number
  readonly at: number
  readonly received_at: number
  /** The event without its timestamps, as JSON text. */
  readonly body: string
}

export interface Plan {
  readonly created: readonly NewIncident[]
  /** In the order of `created`. */
  readonly notices: readonly IncidentNotice[]
  readonly changed: readonly ChangedIncident[]
  readonly events: readonly EventRow[]
  /** Sources that are new to a shared incident. */
  readonly sources: readonly SourceRow[]
}
