export interface WebhookTables {
  /** A receiver of alerts. Its URL may hold a secret, so it is sealed; the hash finds it again. */
  webhook: {
    webhook_id: string
    /** A Flock, or `console` for a receiver of every Flock's alerts. */
    flock_id: string
    /** A folder of `notify/receivers/`. */
    kind: string
    url_hash: string
    sealed_url: string
    /** The URL's host, for logs and for callers who are no admins. */
    host: string
    /** JSON array of the own headers' names; their values are sealed. */
    header_names: string
    sealed_headers: string
    /** What the kind signs or authorises itself with; empty when nothing. */
    sealed_secret: string
    /** JSON object of texts: what else the kind keeps; empty when nothing. */
    sealed_settings: string
    created_at: number
    /** Why it was switched off by itself; empty while it serves. */
    disabled_reason: string
    /** Since when every message to it fails; null while they pass. */
    failing_since: number | null
    /** Levels of the incidents that it is notified of, separated by commas; empty for all. */
    levels: string
    /** `22:00-06:00 Europe/Berlin`, in which it is not notified of incidents that only looked; empty for never. */
    quiet_hours: string
  }
  /** What the delivery log says of a receiver that was removed. */
  removed_webhook: {
    webhook_id: string
    kind: string
    host: string
  }
  /** An authorisation of a chat service that was begun and not yet ended: each is good for one end. */
  chat_authorisation: {
    nonce: string
    flock_id: string
    /** The key that began it. */
    key_id: string
    expires_at: number
  }
}
