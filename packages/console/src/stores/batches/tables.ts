export type BatchAction = 'acknowledge' | 'unacknowledge' | 'delete'

export interface BatchTables {
  /** Bulk actions on incidents, kept for a month so that they can be undone; those that said something are kept. */
  incident_batch: {
    batch_id: string
    action: BatchAction
    created_at: number
    /** What was said of each of its incidents; mostly empty. */
    comment: string
  }
  /**
   * The values of `updated_id` that one chunk of a batch gave to its incidents, and to how many. An incident that still bears
   * one of them has not changed since.
   */
  incident_batch_stretch: {
    batch_id: string
    first_id: number
    last_id: number
    n: number
    /** The same by Flock: JSON, Flock → how many. */
    by_flock: string
  }
}
