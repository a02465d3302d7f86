export interface TouchesTables {
  /** Which touches of a start of a console are stored: those up to `last_seq`, without the numbers in `missing`. */
  touch_position: {
    spool_id: string
    last_seq: number
    /** Ranges of numbers, ascending, as JSON: `[[5,5],[9,12]]`. */
    missing: string
    moved_at: number
  }
  /** Ids that touches of a token carried, each with the event of its first visit; the last ones of a token are kept. */
  token_invocation: {
    token_number: number
    invocation: string
    /** Rises with every id that is noted. */
    noted_id: number
    /** Of the incident of the first visit. */
    agg_key: string
    /** When the first visit was received: its event has the same time. */
    received_at: number
    /** How often it came again, as far as that is counted. */
    replays: number
  }
  /** Visits that go on, for other consoles and the next start. */
  token_visit: {
    /** A hash of the channel, the token and the visitor. */
    visitor: string
    /** When its first request was received. */
    at: number
    /** Of the incident that has its event. */
    agg_key: string
  }
}
