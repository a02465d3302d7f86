export type TicketKind = 'setup' | 'invite' | 'reset'

export interface TicketTables {
  /** Links that work once; the code is stored as SHA-256. */
  ticket: {
    code_hash: string
    kind: TicketKind
    /** Whose password it sets; empty for a set-up link. */
    user_id: string
    created_at: number
    expires_at: number
  }
}
