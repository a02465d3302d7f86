export interface TouchesTables {
  /** Which touches of a start of a console are stored: those up to `last_seq`, without the numbers in `missing`. */
  touch_position: {
    spool_id: string
    last_seq: number
    /** Ranges of numbers, ascending, as JSON: `[[5,5],[9,12]]`. */
    missing: string
    moved_at: number
  }
}
