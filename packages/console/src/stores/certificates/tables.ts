export interface CertificateTables {
  /** Accounts at ACME servers, one for each directory. */
  acme_account: {
    /** The URL of the directory. */
    directory: string
    /** The mail address that the server knows. */
    contact: string
    /** The account's own URL. */
    url: string
    /** Its private key. */
    sealed_key: string
  }
  /** The certificate that an ACME server gave for the zone of token host names, and how the last orders went. */
  acme_certificate: {
    domain: string
    /** PEM: the zone's own certificate, and behind it those of the authorities; empty while there is none. */
    chain: string
    sealed_key: string
    /** The directory that gave it. */
    directory: string
    /** Orders that failed since the last one that succeeded, and why the last one did. */
    failures: number
    failed_at: number
    reason: string
    /** When the next order may begin. */
    retry_at: number
    /** The directory that the failed orders went to. */
    tried: string
  }
  /** What proves to an ACME server that the zone is ours: texts that the DNS server answers. */
  acme_challenge: { value: string; expires_at: number }
}
