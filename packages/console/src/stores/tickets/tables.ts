export type TicketKind = 'setup'

export interface TicketTables {
  /** Links that work once; the code is stored as SHA-256. */
  ticket: {
    code_hash: string
    kind: TicketKind
    created_at: number
    expires_at: number
  }
}
