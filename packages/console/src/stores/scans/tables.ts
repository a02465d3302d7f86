export interface ScanTables {
  /** The last port scan that a Bird reported of a source. */
  bird_scan: {
    /** An IPv4 address, or an IPv6 /64. */
    source: string
    node_id: string
    flock_id: string
    /** The address of the Bird that was scanned. */
    ip_address: string
    /** Rising, separated by commas. */
    ports: string
    seen_at: number
  }
}
