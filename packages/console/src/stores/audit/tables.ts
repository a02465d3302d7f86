export interface AuditTables {
  /** One row for each change, numbered 1, 2, 3 …; never changed, never deleted. */
  audit: {
    id: number
    at: number
    /** The contract's operation, such as `api_keys.add`. */
    action_type: string
    /** One sentence for people, without secrets. */
    message: string
    /** The key's id, `local` for the console's own commands, `console` for the console itself. */
    actor: string
    actor_ip: string
    flock_id: string
    flock_name: string
    /** Over the MAC of the row before and this row. */
    mac: string
  }
  /** One row: where the trail ends, sealed, so that rows missing at its end are noticed. */
  audit_head: { id: number; last_id: number; mac: string; seal: string }
}
