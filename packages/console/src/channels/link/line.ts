// One connection: a WebSocket below, the secure session above it, frames out and in. It knows nothing of Birds.
import type { WebSocket } from 'ws'
import type { Logger } from 'pino'
import type { World } from '@rookery/kernel/world.ts'
import type { Frame, Refusal } from '@rookery/link/messages.ts'
import type { KeyPair } from '@rookery/link/noise/keys.ts'
import { session } from '@rookery/link/session.ts'

export interface Line {
  /** The Bird's address, behind trusted proxies the forwarded one. */
  readonly address: string
  readonly isOpen: () => boolean
  /** When the last frame came. */
  readonly heardAt: () => number
  say(frame: Frame): void
  /** Tells why, then closes. */
  refuse(reason: Refusal, message: string, retryAfterS?: number): void
  close(why: string): void
  ping(): void
  /** Stops and resumes reading: who sends faster than we store must wait. */
  hold(isHeld: boolean): void
}

export interface LineListener {
  /** A frame of the Bird with this proved public key; never called after `closed`. */
  heard(frame: Frame, remoteKey: Buffer): void
  /** Once, however it ended. */
  closed(): void
}

export interface LineOptions {
  readonly socket: WebSocket
  readonly address: string
  readonly staticKey: KeyPair
  readonly world: Pick<World, 'clock' | 'random'>
  readonly log: Logger
}

const HANDSHAKE_MS = 10_000
/** A peer that does not finish the closing handshake is cut off. */
const CLOSING_MS = 2_000

export function openLine(options: LineOptions, listen: (line: Line) => LineListener): Line {
  const { socket, address, world, log } = options
  const { clock, random } = world
  const noise = session({ role: 'responder', staticKey: options.staticKey, clock, random })
  let isOver = false
  let heardAt = clock.now()
  let cancelTimeout = clock.after(HANDSHAKE_MS, () =>
    close(`no handshake and HELLO within ${HANDSHAKE_MS / 1000} s`),
  )

  const line: Line = {
    address,
    isOpen: () => !isOver,
    heardAt: () => heardAt,
    say(frame) {
      if (!isOver) for (const message of noise.send(frame)) socket.send(message, () => undefined)
    },
    refuse(reason, message, retryAfterS) {
      const body = {
        reason,
        message: message.slice(0, 500),
        ...(retryAfterS !== undefined && { retryAfterS }),
      }
      line.say({ kind: 'REFUSED', body })
      close(`refused (${reason}): ${message}`)
    },
    close,
    ping: () => (isOver ? undefined : socket.ping(() => undefined)),
    hold: (isHeld) => (isHeld ? socket.pause() : socket.resume()),
  }
  const listener = listen(line)

  function finish(why: string): void {
    if (isOver) return
    isOver = true
    cancelTimeout()
    log.info({ address, why }, 'link closed')
    listener.closed()
  }

  function close(why: string): void {
    if (isOver) return
    finish(why)
    socket.resume()
    socket.close(1000)
    cancelTimeout = clock.after(CLOSING_MS, () => socket.terminate())
  }

  socket.on('message', (data, isBinary) => {
    if (isOver) return
    if (!isBinary || !Buffer.isBuffer(data)) return close('a message that is not binary')
    const { reply, frame, problem } = noise.receive(data)
    if (reply) socket.send(reply, () => undefined)
    if (problem) return close(problem.message)
    const remoteKey = noise.remoteKey()
    if (!frame || !remoteKey) return
    heardAt = clock.now()
    cancelTimeout()
    try {
      listener.heard(frame, remoteKey)
    } catch (error) {
      log.error({ err: error, address }, 'link failed')
      close('an error inside the console')
    }
  })
  socket.on('error', (error) => finish(error.message))
  socket.on('close', () => {
    finish('the Bird closed it')
    cancelTimeout()
  })
  return line
}
