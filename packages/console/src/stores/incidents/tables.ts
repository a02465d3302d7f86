export interface IncidentTables {
  incident: {
    incident_id: number
    incident_key: string
    hash_id: string
    logtype: string
    summary: string
    node_id: string
    /** The Flock in which it was raised. */
    flock_id: string
    /** The Bird's name; `N/A` for tokens. */
    name: string
    /** The token's memo; null for Birds. */
    memo: string | null
    src_host: string
    src_host_reverse: string
    src_port: number
    dst_host: string
    dst_port: number
    ip_address: string
    ippers: string
    mac_address: string
    created_at: number
    updated_at: number
    updated_id: number
    events_count: number
    acknowledged: number
    notified: number
    deleted_at: number | null
    /** When its last event was received. */
    last_at: number
    /** Source, node, service instance and logtype (aggregation.ts). The newest incident of a key takes its next touch. */
    agg_key: string
  }
  /** The first 100 and the last 900 events of an incident, as the JSON text of the event without its timestamps. */
  incident_event: {
    incident_id: number
    slot: number
    nth: number
    at: number
    received_at: number
    body: string
  }
  /** Kept counts of incidents that are not deleted. */
  incident_count: { flock_id: string; acknowledged: number; n: number }
}
