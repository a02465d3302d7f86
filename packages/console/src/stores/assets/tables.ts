export interface AssetTables {
  /** One row: the last good export of the asset inventory, for a start while the inventory is unavailable. */
  asset_copy: {
    id: number
    /** SHA-256 of its URL: the copy of another inventory is not used. */
    source: string
    body: string
    fetched_at: number
  }
}
