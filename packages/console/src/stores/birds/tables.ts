/** `pending` waits for a person, `queued` for a place in a Flock, `cancelled` and `removed` are tombstones of a key. */
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
    /** The address by which the Bird reaches the console, as it reports it. */
    ip_address: string
    /** The name of the IP personality in its settings. */
    ippers: string
    netmask: string
    /** The kind of sensor that the Bird reports, such as `linux-x64`. */
    sensor: string
    mac_address: string
    /** The address its link comes from. */
    public_ip: string
    /** What the Bird's environment reports (cloud_project, region_id …), as a JSON object of texts. */
    environment: string
    pairing_phrase: string
    first_seen_at: number
    registered_at: number | null
    /** When it joined the queue that it is in. */
    queued_at: number
    /** Its last HELLO or heartbeat. */
    last_seen_at: number
    updated_at: number
    /** When its commission was cancelled, or it was removed; null before. */
    tombstone_at: number | null
    /** The `updated_id` of the last change that its link must read. */
    link_seq: number
    live: number
    /** Start of the outage of its open incident 1004; null when there is none. */
    offline_since: number | null
    reconnect_count: number
    /** When it booted, by the console's clock; null before its first HELLO. */
    booted_at: number | null
    /** Services whose ports are open. */
    service_count: number
    last_dns_settings_at: number | null
    was_rollback: number
    ignore_general: number
    ignore_disconnect: number
    ignore_reconnect: number
    /** The whole settings object (specification 2.8) as JSON; `settings_tag` names this bundle. */
    settings: string
    settings_tag: string
    settings_seq: number
    /** The bundle that the Bird reports as applied. */
    applied_tag: string
    /** Why the newest settings are not in force, as the Bird reports it; empty when they are. */
    settings_failure: string
    /** Services of the applied settings that do not listen: a JSON object, service to reason; empty when all listen. */
    not_standing: string
    /** How many these are. */
    not_standing_count: number
    /** What notices touches without a port, by which way: a JSON array of SensorReport (sensors.store.ts); empty when none is on. */
    sensors: string
    /** Why its IP stack is not as its settings claim, as the Bird reports it; empty when it is, or was not to be set. */
    ip_stack: string
    /** Who can touch its decoys, as the Bird reports it; empty for Birds of earlier releases. */
    reach: '' | 'network' | 'own-machine'
    /** What it adds to every port of its settings; -1 where it does not say. */
    port_offset: number
    /** 1 when its last HELLO said that it takes files. */
    takes_files: number
    /** 1 when its last HELLO said that a launcher can start another release of its software. */
    takes_updates: number
  }
  /** Commands to Birds, sent by the console that holds the Bird's link. */
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
  spool_position: { node_id: string; spool_id: string; last_seq: number; moved_at: number }
  /** Enrolment codes: a Bird that brings one is commissioned without a person. */
  enrolment: {
    enrolment_id: string
    code_hash: string
    flock_id: string
    uses_left: number
    expires_at: number
    created_at: number
  }
}
