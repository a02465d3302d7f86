export interface FlockTables {
  flock: {
    flock_id: string
    name: string
    note: string
    created_at: number
    /** Most registered Birds; counts only while `limit_enabled` is 1. */
    bird_limit: number
    limit_enabled: number
    /** `global` follows the console's switch; `on` and `off` are the Flock's own. */
    webhooks_mode: 'global' | 'on' | 'off'
    /** Whether changed settings raise alerts: the Flock's own, and those of its Birds. */
    flock_settings_alerts: 'global' | 'on' | 'off'
    device_settings_alerts: 'global' | 'on' | 'off'
    /** Days after which old incidents and deliveries go; 0 keeps them, null follows the console. */
    incident_days: number | null
    delivery_days: number | null
  }
}
