export interface NotificationTables {
  /** What was set; the receiver that a list makes while it is enabled is a row of `webhook`. */
  notification_list: {
    /** A Flock, or `console` for the console's own lists. */
    flock_id: string
    /** As the kind of receiver that it makes names it. */
    list: string
    /** Addresses or numbers, comma-separated. */
    recipients: string
    enabled: number
    /** As those of `webhook`. */
    levels: string
    quiet_hours: string
  }
  /** One row: up to when the weekly summaries are made. */
  weekly_summary: { id: number; until: number }
}
