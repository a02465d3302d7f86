export interface ChannelTables {
  /** The channels by which tokens are met, as the console that opened them last knows them. */
  token_channel: {
    /** Its name, such as `dns`. */
    channel: string
    /** `host:port`; empty when it could not be opened. */
    listens: string
    /** What artefacts name: a base address, a zone, or `host:port`; empty while the channel is switched off. */
    named: string
    opened_at: number
    /** When a token was last touched by it; 0 for never. */
    touched_at: number
    /** When a request from another machine last came, and from where; 0 and empty for never. */
    reached_at: number
    reached_from: string
    /** For whom its certificates are, and until when; empty for a channel without them. */
    certificate: string
    /** Why clients refuse one of them, or soon will, in sentences. */
    certificate_problem: string
  }
}
