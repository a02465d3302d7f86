// The WebSocket carrier: one binary message of it is one message of the secure session.
import { WebSocket } from 'ws'
import { Fault } from '@rookery/kernel/fault.ts'
import { failureReason } from './failure-reason.ts'

/** Callbacks of one connection, in this order: `opened` at most once, `received` any number of times, `closed` exactly once. */
export interface ConnectionEvents {
  /** `localAddress` is the Bird's own address on its way to the console. */
  opened(localAddress: string): void
  received(message: Buffer): void
  closed(reason: string): void
}

export interface Connection {
  send(message: Buffer): void
  /** Sends what is buffered, then closes. */
  close(): void
  /** Closes at once. */
  terminate(): void
}

/** Opens one connection to the console; its callbacks are called later, never before it returns. */
export type Carrier = (events: ConnectionEvents) => Connection

const PATH = '/bird/v1/link'
const CONNECT_MS = 10_000
/** Of a Noise message (rev 34, section 3). */
const MAX_MESSAGE_BYTES = 65_535
/** Fragments and pieces of one message, as they wait for its end: each takes some hundred bytes besides its own. */
const MAX_MESSAGE_PARTS = 1_024

/** The address of the link of the console at `consoleUrl`. A `bad-input` fault when that is no http or https address. */
export function linkUrl(consoleUrl: string): URL {
  const url = URL.canParse(consoleUrl) ? new URL(consoleUrl) : undefined
  if (!url || !/^(https?|wss?):$/.test(url.protocol) || url.username || url.search) {
    throw new Fault(
      'bad-input',
      `The console's address must be like https://console.example.org, not ${JSON.stringify(consoleUrl)}.`,
      { details: { console: 'must be an http or https address' } },
    )
  }
  url.protocol = url.protocol.replace('http', 'ws')
  url.pathname = url.pathname.replace(/\/*$/, PATH)
  url.hash = ''
  return url
}

export const wsCarrier =
  (url: URL): Carrier =>
  ({ opened, received, closed }) => {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      maxFragments: MAX_MESSAGE_PARTS,
      maxBufferedChunks: MAX_MESSAGE_PARTS,
      handshakeTimeout: CONNECT_MS,
      // The session authenticates the console by its pinned key; its TLS certificate is not checked.
      rejectUnauthorized: false,
    })
    let localAddress = ''
    let reason = ''
    socket.on('upgrade', (response) => {
      localAddress = response.socket.localAddress ?? ''
      response.socket.setNoDelay(true)
    })
    socket.on('open', () => opened(localAddress))
    socket.on('message', (data, isBinary) => {
      if (isBinary) received(data as Buffer)
      else socket.terminate()
    })
    socket.on('error', (error) => (reason = failureReason(error, PATH)))
    socket.on('close', () => closed(reason || 'the connection was closed'))
    return {
      send: (message) => socket.send(message, () => {}),
      close: () => socket.close(1000),
      terminate: () => socket.terminate(),
    }
  }
