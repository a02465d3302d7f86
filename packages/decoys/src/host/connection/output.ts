// What leaves a connection: bytes, of which only so many may wait, and its end.
import type { Reply } from '../../session/session.ts'
import type { OpenConnection } from './open-connection.ts'

/** Less than this is not counted: for every connection as much may wait. */
const FREE_UNSENT_BYTES = 4 * 1024

/** Reads no more from a peer for whom more than `highWaterBytes` wait. */
export function write(connection: OpenConnection, bytes: string | Buffer): void {
  const { socket, host, state, tls, onSent } = connection
  if (socket.destroyed || !socket.writable) return
  host.passed(bytes.length)
  if (tls) tls.send(bytes, onSent)
  // Too little to be counted if the system does not take it at once.
  else if (socket.writableLength === 0 && bytes.length <= FREE_UNSENT_BYTES) socket.write(bytes)
  else socket.write(bytes, onSent)
  if (countUnsent(connection) > host.limits.highWaterBytes) {
    state.isBlocked = true
    socket.pause()
  }
}

/** Answers how many bytes wait. When too many wait on all connections, the host closes some of those that count. */
export function countUnsent({ socket, host, tls }: OpenConnection): number {
  const bytes = socket.writableLength + (tls?.unsentBytes ?? 0)
  if (bytes <= FREE_UNSENT_BYTES) host.unsent.release(socket)
  else for (const evicted of host.unsent.hold(socket, bytes)) evicted.destroy()
  return bytes
}

/** Closes behind what waits, as real servers do. */
export function close(connection: OpenConnection, how: NonNullable<Reply['close']>): void {
  const { socket, host, state, tls, context, arrived } = connection
  if (state.isClosing) return
  // What waits for its share is read by the host alone: the claimed server would leave it to the kernel.
  if (how === 'close' && arrived.length > 0) return close(connection, 'reset')
  state.isClosing = true
  connection.cancelTimer?.()
  connection.cancelTimer = host.clock.after(host.limits.lingerMs, () => socket.destroy())
  // Within a handshake servers close without close_notify.
  if (tls && context.tls && how !== 'reset') tls.end(() => closeSocket(connection, how))
  else closeSocket(connection, how)
}

function closeSocket({ socket, state }: OpenConnection, how: NonNullable<Reply['close']>): void {
  if (how === 'reset') {
    if (socket.writableLength === 0) socket.resetAndDestroy()
    else socket.write('', () => socket.resetAndDestroy())
  } else if (how === 'close') {
    socket.pause()
    socket.end(() => socket.destroy())
  } else {
    socket.end()
    // Unread bytes would turn the close into a reset, which discards the answer on its way (RFC 9112, 9.6): read them.
    if (state.isPeerDone) socket.once('finish', () => socket.destroy())
    else socket.resume()
  }
}
