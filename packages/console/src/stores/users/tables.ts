export type AccessLevel = 'admin' | 'user'
export type FlockRole = 'manager' | 'watcher'

export interface UserTables {
  /** People who use the console; flags are 0 or 1. */
  user_account: {
    user_id: string
    email: string
    /** The address in small letters: two spellings of one address are one user. */
    email_key: string
    /** See secrets/passwords.ts; empty for a user without one, who cannot log in directly. */
    password_hash: string
    /** An `admin` may do everything; a `user` what the roles in Flocks allow. */
    access_level: AccessLevel
    note: string
    disabled: number
    supervisor: number
    totp_enabled: number
    no_direct_login: number
    saml_provisioned: number
    webauthn_enabled: number
    webauthn_credential: string
    custom_flock_icons_enabled: number
    page_transitions_enabled: number
    seasonal_effects_enabled: number
    summary_email_enabled: number
    created_at: number
    most_recent_login_at: number | null
    previous_login_at: number | null
  }
  /** What a user may do in a Flock: one role in each. */
  user_flock: { user_id: string; flock_id: string; role: FlockRole }
}
