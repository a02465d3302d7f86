// How much one service lets intruders take, and what the host counts.

export interface HostLimits {
  /** Simultaneous connections of one source address to one port. */
  readonly perSource: number
  /** Simultaneous connections to one port. */
  readonly perService: number
  /** Bytes that wait to be sent; above it the host reads no more from the connection. */
  readonly highWaterBytes: number
  /** How long a connection that we closed waits for its peer's close. */
  readonly lingerMs: number
}

export const defaultLimits: HostLimits = {
  perSource: 64,
  perService: 512,
  highWaterBytes: 64 * 1024,
  lingerMs: 1_000,
}

/** Counters since the host was opened, but for `openConnections`, which counts those of now. */
export interface HostStats {
  openConnections: number
  accepted: number
  datagrams: number
  refused: number
  errors: number
  /** The last error with its stack, for the log. */
  lastError: string | undefined
}

export const emptyStats = (): HostStats => ({
  openConnections: 0,
  accepted: 0,
  datagrams: 0,
  refused: 0,
  errors: 0,
  lastError: undefined,
})
