export interface FactorTables {
  /** The authenticator app of a person; one that is not confirmed by a code is no factor yet. */
  totp: {
    user_id: string
    sealed_secret: string
    /** The last step of 30 s whose code was taken: a step counts once (RFC 6238, 5.2). */
    last_step: number
    confirmed: number
    created_at: number
  }
  /** Codes that are left. They have 120 random bits, so SHA-256 is enough. */
  recovery_code: { code_hash: string; user_id: string }
  passkey: {
    /** The id that the authenticator gave, base64url. */
    passkey_id: string
    user_id: string
    /** The host at which it was made, and works. */
    rp_id: string
    /** COSE, base64url. */
    public_key: string
    /** Signatures that the authenticator has counted; 0 where it counts none. */
    counter: number
    transports: string
    name: string
    created_at: number
    used_at: number | null
    /** When the challenge was made that it signed last: an older one counts no more. */
    challenged_at: number
  }
}
