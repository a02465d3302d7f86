// Waits for a whole ClientHello (RFC 8446, 4.1.2) before OpenSSL gets to see a connection: half of one costs 50 KiB there, a
// large one 130, and both wait for as long as their sender likes.
import type { Socket } from 'node:net'
import { limit } from '@rookery/kernel/limit.ts'
import { openInbox } from '../../tcp/inbox.ts'

/** Those of browsers have 2 KiB, or 4 with a resumption. */
const BYTES = limit('token_tls_hello_bytes', 16 * 1024)

const RECORD_HEADER = 5
const MESSAGE_HEADER = 4
const HANDSHAKE_RECORD = 22
const CLIENT_HELLO = 1

export interface ReadHello {
  /** `whole` is also said of what is no ClientHello: OpenSSL refuses it at once, as every server does. */
  readonly state: 'incomplete' | 'whole' | 'too long'
  /** The message without the headers of its records, once it is whole; undefined for what is no ClientHello. */
  readonly message?: Buffer
}

/**
 *     record  ┌──────┬─────────┬────────┬──────────┐   message  ┌──────┬────────┬──────┐
 *             │ type │ version │ length │ fragment │            │ type │ length │ body │
 *             │ 1    │ 2       │ 2      │          │            │ 1    │ 3      │      │
 *             └──────┴─────────┴────────┴──────────┘            └──────┴────────┴──────┘
 */
export function readHello(bytes: Buffer): ReadHello {
  const fragments: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== HANDSHAKE_RECORD) return { state: 'whole' }
    if (at + RECORD_HEADER > bytes.length) break
    const end = at + RECORD_HEADER + bytes.readUInt16BE(at + 3)
    if (end === at + RECORD_HEADER) return { state: 'whole' }
    fragments.push(bytes.subarray(at + RECORD_HEADER, end))
    at = end
  }
  const message = Buffer.concat(fragments)
  if (message.length > 0 && message[0] !== CLIENT_HELLO) return { state: 'whole' }
  if (message.length < MESSAGE_HEADER) return { state: 'incomplete' }
  const length = MESSAGE_HEADER + message.readUIntBE(1, 3)
  if (length > BYTES.max) return { state: 'too long' }
  return message.length >= length
    ? { state: 'whole', message: message.subarray(0, length) }
    : { state: 'incomplete' }
}

/**
 * Calls `onWhole` with the message once it has come; its bytes then wait with the socket. Closes the connection where it is too
 * long.
 */
export function awaitHello(socket: Socket, onWhole: (message: Buffer | undefined) => void): void {
  const inbox = openInbox()

  const take = (bytes: Buffer): void => {
    inbox.add(bytes)
    const received = inbox.whole(1) ?? bytes
    const { state, message } = readHello(received)
    if (state === 'incomplete' && received.length <= BYTES.max) return
    socket.off('data', take).off('end', close)
    if (state !== 'whole') {
      BYTES.hit()
      return close()
    }
    socket.pause()
    socket.unshift(received)
    onWhole(message)
  }
  const close = (): void => void socket.destroy()

  socket.on('data', take).once('end', close)
}
