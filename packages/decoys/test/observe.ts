// Asks a server over TCP, and notes what a client can tell: the bytes, how the connection ends, and when.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

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

const BETWEEN_SEGMENTS_MS = 15
/** A busy machine may take so long until a server says anything. */
const FIRST_BYTE_MS = 600

/** Sends the segments one after another. The observation is over at the close, or after `silenceMs` without a byte. */
export async function observe(
  { host, port, from }: Endpoint,
  segments: readonly string[],
  silenceMs: number,
): Promise<Observation> {
  const socket = connect({
    host,
    port,
    noDelay: true,
    allowHalfOpen: true,
    ...(from && { localAddress: from }),
  })
  const seen = { text: '', close: 'open' as Observation['close'], lastAt: performance.now() }
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
  for (const segment of segments) {
    await sleep(BETWEEN_SEGMENTS_MS)
    if (seen.close !== 'open') break
    socket.write(Buffer.from(segment, 'latin1'))
  }
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
