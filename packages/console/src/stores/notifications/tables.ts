/** Who is told by which way, and who gets the summary of the week. */
export type ListName = 'emails' | 'sms' | 'summary_email'

export interface NotificationTables {
  /** What was set; the receiver that a list makes while it is enabled is a row of `webhook`. */
  notification_list: {
    /** A Flock, or `console` for the console's own lists. */
    flock_id: string
    list: ListName
    /** Addresses or numbers, comma-separated. */
    recipients: string
    enabled: number
  }
  /** One row: up to when the weekly summaries are made. */
  weekly_summary: { id: number; until: number }
}
