export type BundleState = 'waiting' | 'started' | 'applied' | 'failed' | 'rolled back'

export interface BundleTables {
  /** What is sent to a Bird, and what became of it. The content of a settings bundle is in the Bird's row. */
  bundle: {
    bundle_tag: string
    node_id: string
    type: 'settings'
    /** The name of these settings on the link and in `current_settings`. */
    settings_tag: string
    /** `settings_seq` of the Bird: of two bundles the one with the greater number is newer. */
    seq: number
    state: BundleState
    /** Bytes of its JSON text, and how many of them the Bird has fetched. */
    size: number
    copied: number
    /** Why it failed or was rolled back; of an applied one, which decoys do not listen. Empty for none. */
    reason: string
    /** SHA-256 of its JSON text, hex; empty for those of older releases. */
    checksum: string
    /** The Bird began to fetch it. */
    started_at: number | null
    /** It was applied, failed or was rolled back. */
    ended_at: number | null
    created_at: number
    updated_at: number
  }
}
