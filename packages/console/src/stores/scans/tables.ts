export interface ScanTables {
  /** The last report of a Bird of each kind of probe by a source. */
  bird_scan: {
    /** An IPv4 address, or an IPv6 /64. */
    source: string
    node_id: string
    /** `syn`, `os`, or `connect <port>`: a report of one replaces no ports of another. */
    probe: string
    flock_id: string
    /** The address of the Bird that was scanned. */
    ip_address: string
    /** Rising, separated by commas. */
    ports: string
    seen_at: number
  }
}
