// What `decide` hands to the store: rows, and nothing to be worked out.

export interface OpenIncident {
  readonly incident_id: number
  readonly last_at: number
  readonly events_count: number
}

export interface ChangedIncident {
  readonly incident_id: number
  readonly events_count: number
  readonly updated_at: number
  readonly updated_id: number
  readonly last_at: number
}

export interface NewIncident {
  readonly incident_id: number
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
  /** No alert is sent for it. */
  readonly muted: boolean
  /** It is told in a summary of its Bird's backlog. */
  readonly late: boolean
}

export interface EventRow {
  readonly incident_id: number
  readonly slot: number
  readonly nth: number
  readonly at: number
  readonly received_at: number
  /** The event without its timestamps, as JSON text. */
  readonly body: string
}

export interface Plan {
  readonly created: readonly (NewIncident & ChangedIncident)[]
  readonly changed: readonly ChangedIncident[]
  readonly events: readonly EventRow[]
}
