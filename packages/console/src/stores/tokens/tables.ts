export interface TokenTables {
  token: {
    token_id: string
    /** Its own among all tokens: the `updated_id` of its making. */
    number: number
    kind: string
    memo: string
    flock_id: string
    /** The kind's own settings, as JSON. */
    settings: string
    /** What was planted (`Artefact.renders`), as JSON. */
    renders: string
    url: string
    hostname: string
    enabled: number
    created_at: number
    /** Key id of the maker. */
    created_by: string
    /** The factory that made it, or empty. */
    factory_key_id: string
    /** The number of the last change that a person made. */
    updated_id: number
  }
  /** How often the token of that number fired, and the `updated_id` of the last time; no row before the first. */
  token_count: { number: number; triggered_count: number; updated_id: number }
  /** Ids that were deleted on purpose: later touches of theirs are noise, while any other id without a row is an orphan. */
  deleted_token: { token_id: string; deleted_at: number }
}
