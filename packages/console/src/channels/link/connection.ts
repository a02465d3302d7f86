// One connection: a WebSocket below, the secure session above it, frames in and out. It knows nothing of Birds.
import type { WebSocket } from 'ws'
import type { Logger } from 'pino'
import { limit } from '@rookery/kernel/limit.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Frame } from '@rookery/link/messages.ts'
import type { KeyPair } from '@rookery/link/noise/keys.ts'
import { session } from '@rookery/link/session.ts'

export interface Connection {
  /** The Bird's address, behind trusted proxies the forwarded one. */
  readonly address: string
  /** When the last frame arrived. */
  readonly heardAt: () => number
  send(frame: Frame): void
  close(why: string): void
  ping(): void
  /** Stops reading, so that TCP's flow control holds the sender back. */
  pause(): void
  resume(): void
}

export interface ConnectionListener {
  /** A frame of the Bird with this proved public key; never called after `closed`. */
  receive(frame: Frame, remoteKey: Buffer): void
  /** Called once, however the connection ended. */
  closed(): void
}

export interface ConnectionOptions {
  readonly socket: WebSocket
  readonly address: string
  readonly staticKey: KeyPair
  readonly world: Pick<World, 'clock' | 'random'>
  readonly log: Logger
}

const HANDSHAKE_MS = 10_000
/** What waits towards a peer; more closes its link. */
const UNSENT_BYTES = limit('link_unsent_bytes', 1024 * 1024)
/** Of one message, as they wait for its end: each takes some hundred bytes besides its own. */
export const MESSAGE_PARTS = limit('link_message_parts', 1_024)
/** WebSocket pings are answered at most this often. */
const PONG_MS = 1_000
/** A peer that does not finish the closing handshake is cut off. */
const CLOSING_MS = 2_000

export function openConnection(
  options: ConnectionOptions,
  listen: (connection: Connection) => ConnectionListener,
): void {
  const { socket, address, world, log } = options
  const { clock, random } = world
  const secure = session({ role: 'responder', staticKey: options.staticKey, clock, random })
  let isOver = false
  let heardAt = clock.now()
  let pongAt = 0
  let cancelTimeout = clock.after(HANDSHAKE_MS, () =>
    close(`no handshake and HELLO within ${HANDSHAKE_MS / 1000} s`),
  )
  const listener = listen({
    address,
    heardAt: () => heardAt,
    send(frame) {
      if (canSend()) for (const message of secure.send(frame)) socket.send(message, () => undefined)
    },
    close,
    ping: () => (canSend() ? socket.ping(() => undefined) : undefined),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  })

  function finish(why: string): void {
    if (isOver) return
    isOver = true
    cancelTimeout()
    log.info({ address, why }, 'link closed')
    listener.closed()
  }

  /** Closes the link of a peer that does not read what it is sent. */
  function canSend(): boolean {
    if (isOver || socket.bufferedAmount <= UNSENT_BYTES.max) return !isOver
    UNSENT_BYTES.hit()
    finish(`more than ${UNSENT_BYTES.max} bytes that it does not read`)
    socket.terminate()
    return false
  }

  function close(why: string): void {
    if (isOver) return
    finish(why)
    socket.resume()
    socket.close(1000)
    cancelTimeout = clock.after(CLOSING_MS, () => socket.terminate())
  }

  function receive(message: Buffer): void {
    const { reply, frame, problem } = secure.receive(message)
    if (reply) socket.send(reply, () => undefined)
    if (problem) return close(problem.message)
    const remoteKey = secure.remoteKey()
    if (!frame || !remoteKey) return
    heardAt = clock.now()
    cancelTimeout()
    listener.receive(frame, remoteKey)
  }

  socket.on('message', (data, isBinary) => {
    if (isOver) return
    if (!isBinary || !Buffer.isBuffer(data)) return close('a message that is not binary')
    receive(data)
  })
  socket.on('ping', () => {
    const now = clock.now()
    if (Math.abs(now - pongAt) < PONG_MS || !canSend()) return
    pongAt = now
    socket.pong(undefined, undefined, () => undefined)
  })
  socket.on('error', (error) => {
    if ('code' in error && error.code === 'WS_ERR_TOO_MANY_BUFFERED_PARTS') MESSAGE_PARTS.hit()
    finish(error.message)
  })
  socket.on('close', () => {
    finish('the Bird closed it')
    cancelTimeout()
  })
}
