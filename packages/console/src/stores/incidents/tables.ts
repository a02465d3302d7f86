/** Facts of an incident, written once (decision 0020). */
interface IncidentFact {
  incident_id: number
  incident_key: string
  hash_id: string
  logtype: string
  summary: string
  node_id: string
  /** The Bird's name; `N/A` for tokens. */
  name: string
  /** The token's memo; null for Birds. */
  memo: string | null
  src_port: number
  dst_host: string
  dst_port: number
  ip_address: string
  ippers: string
  mac_address: string
  created_at: number
  /** Source, node, service instance and logtype (aggregation.ts). The newest incident of a key takes its next touch. */
  agg_key: string
  /** Names of the annotations that explain it, separated by commas; nearly always empty. */
  annotations: string
}

/** State of an incident, and every column that lists and searches need (decisions 0020, 0021). */
interface IncidentState {
  incident_id: number
  /** The Flock in which it was raised. */
  flock_id: string
  src_host: string
  /** Its row of `search_text`. */
  text_id: number
  created_at: number
  updated_at: number
  updated_id: number
  /** When its last event was received. */
  last_at: number
  events_count: number
  acknowledged: number
  /** The `actor` who acknowledged it, and when; null before, and for incidents that an older release acknowledged. */
  acknowledged_by: string | null
  acknowledged_at: number | null
  notified: number
  deleted_at: number | null
  /** Empty until the reverse look-up is done. */
  src_host_reverse: string
}

/** The name of `acknowledged_by`; null where the actor has none. */
interface AcknowledgedName {
  acknowledged_name: string | null
}

export interface IncidentTables {
  incident_fact: IncidentFact
  incident_state: IncidentState
  /** View: the state, LEFT JOIN the facts. */
  incident: IncidentFact & Omit<IncidentState, 'text_id'> & AcknowledgedName
  /** View: the facts, LEFT JOIN the state; for lists of one node. */
  incident_of_node: IncidentFact & Omit<IncidentState, 'text_id'> & AcknowledgedName
  /** The first 100 and the last 900 events of an incident, as the JSON text of the event without its timestamps. */
  incident_event: {
    incident_id: number
    slot: number
    nth: number
    at: number
    received_at: number
    body: string
  }
  /** Sources of an incident besides its `src_host`, in their order: of `many sources`, and of an IPv6 /64. */
  incident_source: { incident_id: number; nth: number; src_host: string }
  /** Counters of incidents that are not deleted. */
  incident_count: { flock_id: string; acknowledged: number; n: number }
  /** The texts of incidents that a search looks into, each combination once (decision 0021). */
  search_text: {
    /** The first 52 bits of a SHA-256 over the other columns. */
    text_id: number
    logtype: string
    node_id: string
    /** Summary, node, name or memo, destination: folded, with U+001F between them. */
    text: string
  }
}
