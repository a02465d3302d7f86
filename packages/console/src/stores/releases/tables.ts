export interface ReleaseTables {
  /** A release of the Bird's software, as `rookery release add` brought it. */
  release: {
    /** First 32 hex digits of the SHA-256 of its manifest. */
    tag: string
    version: string
    seq: number
    description: string
    /** The exact text that is signed, and its signature. */
    manifest: string
    signature: string
    /** Its archive, a `stored_file`. */
    file_id: string
    sha256: string
    size: number
    /** People do not want it. */
    ignored: number
    added_at: number
  }
}
