/** `pending` waits for a person, `queued` for room in a Flock, `cancelled` and `removed` keep a key's tombstone. */
export type BirdState = 'pending' | 'queued' | 'registered' | 'cancelled' | 'removed'

export interface BirdTables {
  bird: {
    node_id: string
    /** The Bird's X25519 public key, hex: its identity on the link. */
    public_key: string
    /** First 24 hex digits of the SHA-256 of the public key. */
    device_id_hash: string
    state: BirdState
    flock_id: string
    name: string
    description: string
    location: string
    note: string
    version: string
    /** What the Bird reports of its own address, comma-separated where it has several. */
    ip_address: string
    ippers: string
    netmask: string
    mac_address: string
    /** The address its link comes from. */
    public_ip: string
    /** What the Bird's environment reports (cloud_project, region_id …), as a JSON object of texts. */
    environment: string
    pairing_phrase: string
    first_seen_at: number
    registered_at: number | null
    /** Since when it waits in its present queue. */
    queued_at: number
    /** Its last sign of life on the link. */
    last_seen_at: number
    updated_at: number
    /** When its commission was cancelled, or it was removed; null before. */
    tombstone_at: number | null
    /** Number (of `updated_id`'s row) of the last change that its link must hear of. */
    link_seq: number
    live: number
    /** Start of the outage that its incident 1004 speaks of; null when none is open. */
    offline_since: number | null
    reconnect_count: number
    /** When it booted, by the console's clock; null before its first word. */
    booted_at: number | null
    /** Services whose ports are open. */
    service_count: number
    last_dns_settings_at: number | null
    was_rollback: number
    ignore_general: number
    ignore_disconnect: number
    ignore_reconnect: number
    /** The whole settings object (specification 2.8) as JSON, its name, and the one that the Bird says it runs. */
    settings: string
    settings_tag: string
    settings_seq: number
    applied_tag: string
    /** Why the newest settings could not be applied; empty when they could. */
    settings_failure: string
  }
  /** Orders to Birds; sent by whichever console holds the link. */
  bird_command: {
    command_id: string
    node_id: string
    kind: string
    payload: string
    state: 'waiting' | 'sent' | 'done' | 'failed' | 'cancelled'
    detail: string
    created_at: number
    updated_at: number
  }
  /** How far a Bird's spool is stored: what lies at or below `last_seq` is dropped when it comes again. */
  spool_position: { node_id: string; spool_id: string; last_seq: number }
  /** Codes that commission a Bird by themselves. */
  enrolment: {
    code_hash: string
    flock_id: string
    uses_left: number
    expires_at: number
    created_at: number
  }
}
