export interface SessionTables {
  /** People who are signed in. Both halves are stored as SHA-256: they are random, so nothing has to slow down a guess. */
  session: {
    session_id: string
    user_id: string
    cookie_hash: string
    page_hash: string
    created_at: number
    /** Written once a minute. */
    used_at: number
    address: string
    user_agent: string
    /** The password was right, and the second factor is missing; 0 or 1. */
    needs_factor: number
    /** When a password or a factor was shown last. */
    proved_at: number
  }
}
