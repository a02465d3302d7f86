// One connection: a WebSocket below, the secure session above it, frames in and out. It knows nothing of Birds.
import type { WebSocket } from 'ws'
import type { Logger } from 'pino'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
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
/** What a peer may send on after we have closed its link; more cuts it off. */
const BYTES_AFTER_CLOSE = limit('link_bytes_after_close', 1024 * 1024)
/** WebSocket pings of a peer; more close its link. */
const PINGS = limit('link_pings_per_second', 10)
const SECOND_MS = 1_000
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
  let isCutOff = false
  let heardAt = clock.now()
  let pongAt = 0
  let leftAfterClose = BYTES_AFTER_CLOSE.max
  const pings = windowCounter<'all'>(PINGS, SECOND_MS)
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
    cutOff(UNSENT_BYTES, `more than ${UNSENT_BYTES.max} bytes that it does not read`)
    return false
  }

  function cutOff(met: Limit, why: string): void {
    // What had come before is still read to its end.
    if (isCutOff) return
    isCutOff = true
    met.hit()
    finish(why)
    socket.terminate()
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
    const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0)
    if (isOver) {
      leftAfterClose -= bytes.length
      if (leftAfterClose < 0) cutOff(BYTES_AFTER_CLOSE, 'it sends on')
      return
    }
    if (!isBinary) return close('a message that is not binary')
    receive(bytes)
  })
  socket.on('ping', () => {
    const now = clock.now()
    if (pings.count('all', now) > PINGS.max) return cutOff(PINGS, `more than ${PINGS.max} pings a second`)
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
