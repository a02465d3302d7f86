// How much one service lets intruders take.

export interface HostLimits {
  /** Connections of one source address to one port at a time. */
  readonly perSource: number
  /** Connections to one port at a time. */
  readonly perService: number
  /** Bytes waiting to be sent above which nothing more is read. */
  readonly highWaterBytes: number
  /** How long a closed connection may linger until its peer closes too. */
  readonly lingerMs: number
}

export const defaultLimits: HostLimits = {
  perSource: 64,
  perService: 512,
  highWaterBytes: 64 * 1024,
  lingerMs: 1_000,
}

/** Counters since the host was opened; `open` is how many connections stand now. */
export interface HostStats {
  open: number
  accepted: number
  datagrams: number
  refused: number
  thrown: number
  /** What the last throwing session threw, for the log. */
  lastThrown: string | undefined
}

export const emptyStats = (): HostStats => ({
  open: 0,
  accepted: 0,
  datagrams: 0,
  refused: 0,
  thrown: 0,
  lastThrown: undefined,
})
