// A row of the audit trail before it has its place in the chain: what a writing transaction brings along.

export interface AuditEntry {
  readonly at: number
  /** The contract's operation, such as `api_keys.add`. */
  readonly action_type: string
  /** One sentence for people, without secrets. */
  readonly message: string
  /** The key's id, `local` for the console's own commands, `console` for the console itself. */
  readonly actor: string
  readonly actor_ip: string
  readonly flock_id: string
  readonly flock_name: string
}
