export interface ProviderTables {
  /** What a provider issued for a token. The row is written before the provider is called, and goes once it is revoked. */
  provider_resource: {
    token_id: string
    provider: string
    kind: string
    /** `provisioning` until the token's row is written, then `active`; `revoking` until the provider has ended it. */
    state: 'provisioning' | 'active' | 'revoking'
    /** By it events name the resource; empty until the provider has answered. */
    remote_id: string
    /** What else its end needs; empty for nothing. */
    sealed_handle: string
    created_at: number
    /** When it is revoked next; of one that is provisioning, when its creation counts as lost. 0 for never. */
    due_at: number
    /** When it stops working by itself; 0 for never. */
    expires_at: number
    /** Whether the incident that it soon expires was raised. */
    is_expiry_raised: number
    /** When the last use that was reported happened; 0 for none. */
    used_at: number
    /** How often its end failed. */
    attempts: number
    /** Why it failed last; empty for never. */
    last_error: string
  }
  /** How events of a provider come in. */
  provider_feed: {
    provider: string
    /** Where the next poll goes on; empty before the first. */
    position: string
    /** The last heartbeat; 0 for never. */
    fed_at: number
    /** Since when every poll fails; 0 while they succeed. */
    failing_since: number
    last_error: string
    /** When the incident of its silence was raised; 0 while it is not silent. */
    silence_raised_at: number
  }
  /** Events that were stored, by what reported them: a second report raises nothing. */
  seen_event: { source: string; event_id: string; seen_at: number }
}
