export interface TokenTables {
  token: {
    token_id: string
    /** Unique: the `updated_id` with which it was created. */
    number: number
    kind: string
    memo: string
    flock_id: string
    /** The kind's own settings, as JSON: secrets are sealed, and uploaded files are references. */
    settings: string
    /** The texts to plant, as JSON; empty where they are made of a secret. */
    renders: string
    /** What its provider issued for it, as sealed JSON; empty where it has none. */
    issued: string
    url: string
    hostname: string
    /** Public key of its WireGuard client, base64; empty where its kind has none. */
    peer_key: string
    /** Where its artefact logs in by MySQL: `host:port`, or `:port` at its own host name; empty for nowhere. */
    mysql: string
    /** The same by PostgreSQL. */
    postgres: string
    enabled: number
    /** Addresses and ranges whose touches are quiet, one a line. */
    quiet_sources: string
    /** 1: after its first incident, touches join that. */
    first_only: number
    /** Where it was put; empty where nobody said. Then nobody said it, at no time. */
    placement: string
    /** Key id of the caller who said it. */
    placement_by: string
    placement_at: number
    created_at: number
    /** Key id of the caller who created it. */
    created_by: string
    /** Key id of the factory that created it; empty when an API key did. */
    factory_key_id: string
    /** The number of the last change through the API. */
    updated_id: number
  }
  /** An uploaded file; `token_id` is empty until the token's row is written, and again when it does not need it any more. */
  token_file: { file_id: string; token_id: string; stored_at: number }
  /** Its bytes in pieces, counted from 0. */
  token_file_chunk: { file_id: string; n: number; bytes: Uint8Array }
  /** How often the token of that number fired, with the `updated_id` and the time of the last one. It has no row before the first. */
  token_count: { number: number; triggered_count: number; updated_id: number; touched_at: number }
  /** The last touches of a token that raised nothing, because its kind judged them quiet. */
  quiet_touch: {
    token_number: number
    /** Rises with every touch that is stored. */
    quiet_id: number
    at: number
    /** Why it raised nothing: a clause for people. */
    reason: string
    /** The event, as JSON, without its timestamps. */
    body: string
  }
  /** Of a token that raises its first incident only: the aggregation key of that. It counts until the incident is deleted. */
  token_first_incident: { number: number; agg_key: string }
  /** Ids of self-tests: a touch by such an id is a test of the token, in its place. */
  token_test: {
    test_id: string
    token_id: string
    /** 1: touches raise an incident for a minute. */
    alerts: number
    started_at: number
    /** Key id of the caller. */
    started_by: string
    /** As that of a token. */
    peer_key: string
  }
  /** Which token a row of a batch became: the batch is repeated without making it twice. */
  token_batch_row: {
    batch_id: string
    /** From 1, in the order of the file. */
    nth: number
    /** Of what the row says: 32 hex digits. */
    digest: string
    token_id: string
  }
  /** Ids that were deleted on purpose: their touches are dropped. Any other id without a row is an orphan. */
  deleted_token: { token_id: string; deleted_at: number }
}
