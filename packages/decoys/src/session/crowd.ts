// How the server that a decoy claims treats a source that has many connections.

export interface Newcomer {
  readonly address: string
  /** What counts as one source: the address, or the /64 of IPv6. */
  readonly source: string
  /** Connections to this decoy that the source has besides. */
  readonly open: number
  /** Milliseconds UTC. */
  readonly now: number
  /** For servers that refuse by chance. */
  readonly random: (length: number) => Buffer
}

export interface Crowd {
  /** What the server sends to a new connection before it closes it; undefined: it serves the connection. */
  readonly refusal: (newcomer: Newcomer) => string | Buffer | undefined
  /** What the server sends, before it closes, when it has no room for any more connections. */
  readonly full: string | Buffer
}

/**
 * sshd's MaxStartups (sshd_config(5)): from `start` connections without a login on, it drops a new one with a chance of
 * `rate` percent, which rises in a line to certainty at `full` connections.
 */
export const maxStartups = (start: number, rate: number, full: number): Crowd => {
  const text = 'Exceeded MaxStartups\r\n'
  return {
    full: text,
    refusal({ open, random }) {
      if (open < start) return undefined
      if (open >= full) return text
      const percent = rate + Math.floor(((100 - rate) * (open - start)) / (full - start))
      return random(4).readUInt32BE() % 100 < percent ? text : undefined
    },
  }
}
