// Asks a server over TCP, and notes what a client can tell: the bytes, how the connection ends, and when.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, type SecureVersion } from 'node:tls'

export interface Endpoint {
  readonly host: string
  readonly port: number
  /** The client's own address. */
  readonly from?: string
}

export interface Observation {
  /** Latin1. */
  readonly text: string
  readonly close: 'open' | 'FIN' | 'RST'
  /** From the last segment to the last byte or the close. */
  readonly delayMs: number
}

/** A connection, and what its client has seen so far. */
export interface Watched {
  readonly socket: Socket
  readonly seen: { text: string; close: Observation['close']; lastAt: number }
}

const BETWEEN_SEGMENTS_MS = 15
/** A busy machine may take so long until a server says anything. */
const FIRST_BYTE_MS = 600

/** Connects, and notes from now on what the server does. */
export const watch = (server: Endpoint): Watched => noting(connect(optionsOf(server)))

/** The same within TLS: what is written waits for the handshake, and the text is what was encrypted. */
export const watchWithinTls =
  (maxVersion: SecureVersion = 'TLSv1.3') =>
  (server: Endpoint): Watched =>
    noting(connectTls({ ...optionsOf(server), maxVersion, rejectUnauthorized: false }))

const optionsOf = ({ host, port, from }: Endpoint) => ({
  host,
  port,
  noDelay: true,
  allowHalfOpen: true,
  ...(from && { localAddress: from }),
})

function noting(socket: Socket): Watched {
  const seen: Watched['seen'] = { text: '', close: 'open', lastAt: performance.now() }
  const note = (): void => void (seen.lastAt = performance.now())
  const closed = (how: 'FIN' | 'RST'): void => {
    if (seen.close !== 'open') return
    seen.close = how
    note()
  }
  socket.on('data', (bytes) => {
    seen.text += bytes.toString('latin1')
    note()
  })
  socket.on('error', () => closed('RST'))
  socket.on('end', () => closed('FIN'))
  socket.on('connect', note)
  return { socket, seen }
}

/**
 * Sends the segments one after another; `patience` stretches the time between them. With `ends`, the client's side ends behind
 * them. The observation is over at the close, or after `silenceMs` without a byte.
 */
export async function observe(
  server: Endpoint,
  segments: readonly string[],
  silenceMs: number,
  patience = 1,
  ends = false,
): Promise<Observation> {
  const { socket, seen } = watch(server)
  for (const segment of segments) {
    await sleep(BETWEEN_SEGMENTS_MS * patience)
    if (seen.close !== 'open') break
    socket.write(Buffer.from(segment, 'latin1'))
  }
  if (ends) socket.end()
  const sentAt = performance.now()
  const isOver = (): boolean => {
    const isAnswered = seen.lastAt > sentAt
    const patienceMs = isAnswered ? silenceMs : Math.max(silenceMs, FIRST_BYTE_MS)
    return seen.close !== 'open' || performance.now() - Math.max(seen.lastAt, sentAt) >= patienceMs
  }
  while (!isOver()) await sleep(5)
  // A reset comes right behind the last bytes, and may be read after them.
  if (seen.close === 'FIN') await sleep(1)
  socket.destroy()
  return { text: seen.text, close: seen.close, delayMs: Math.max(0, seen.lastAt - sentAt) }
}
