export interface AssetTables {
  /** One row: the last good export of the asset inventory, for a start while the inventory is away. */
  asset_copy: {
    id: number
    /** SHA-256 of the URL that it came from: another inventory's copy is of no use. */
    source: string
    body: string
    fetched_at: number
  }
}
