/** `indicators` reads the sources that may leave the console, and nothing else. */
export type KeyType = 'indicators' | 'read-only' | 'analyst' | 'admin' | 'decoytoken-deploy'

export interface KeyTables {
  /** Who acts: a key with its note. A row outlives its key, so that trail and incidents go on to name it. */
  actor: { actor_id: string; name: string }
  api_key: {
    key_id: string
    /** Keyed hash of the key: how a request finds its row. */
    key_hash: string
    /** The sealed key, or empty with `ROOKERY_KEYS=show-once`. */
    sealed_key: string
    type: KeyType
    /** The note of a key, the memo of a factory. */
    note: string
    /** The Flock of a deploy key; empty for every other. */
    flock_id: string
    /** Addresses and CIDR ranges, separated by commas; empty admits all. */
    allowed_ip_ranges: string
    created_at: number
    /** Key id of the maker, or `console`. */
    created_by: string
    expires_at: number | null
    last_used_at: number | null
  }
}
