/** What an incident is, written once (decision 0020). */
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
  src_host: string
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

/** What becomes of an incident, and what its lists are ordered by. */
interface IncidentState {
  incident_id: number
  /** The Flock in which it was raised. */
  flock_id: string
  created_at: number
  updated_at: number
  updated_id: number
  /** When its last event was received. */
  last_at: number
  events_count: number
  acknowledged: number
  notified: number
  deleted_at: number | null
  /** Learnt later. */
  src_host_reverse: string
}

export interface IncidentTables {
  incident_fact: IncidentFact
  incident_state: IncidentState
  /** A view of both, to be read. */
  incident: IncidentFact & IncidentState
  /** The same, for lists of one node. */
  incident_of_node: IncidentFact & IncidentState
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
  /** The search index (decision 0012): a stretch of incidents as columns, made behind the commit. */
  search_block: {
    block: number
    first_id: number
    last_id: number
    n: number
    oldest_at: number
    newest_at: number
    /** How many of its incidents are; who is both counts in both. */
    acknowledged: number
    deleted: number
    /** The upper 16 bits of its IPv4 sources, with commas between; empty where they are too many to list. */
    networks: string
    /** 1 until a full block takes its place. */
    provisional: 0 | 1
  }
  /** A column of a block: `cell_id` = column × 2²⁴ + block, so that a column of many blocks lies together. */
  search_cells: { cell_id: number; cells: Uint8Array }
  /** What incidents share: search asks each of these once. */
  search_kind: {
    kind_id: number
    logtype: string
    summary: string
    node_id: string
    flock_id: string
    dst_host: string
    /** The texts that a search looks into. */
    folded: string
  }
  /** Sources that are no IPv4 addresses. */
  search_source: { source_id: number; source: string }
}
