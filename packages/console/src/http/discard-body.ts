// A request that is answered before its body has arrived: the rest is dropped for a while, so that the client reads the
// answer. A connection closed while bytes arrive would be reset, and the answer lost (RFC 9112, 9.6).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@rookery/kernel/world.ts'
import { DROPPED_BYTES } from './request-limits.ts'

const DROP_MS = 2_000
/** Bytes are dropped no faster than this: who sends many bodies at once pays with time, and takes none of others'. */
const BYTES_PER_MS = DROPPED_BYTES.max / DROP_MS

/** Connections whose request was answered before its body had arrived. */
const answered = new WeakSet<Socket>()

/** Whether a failure of this connection comes after the answer: a second answer would only confuse. */
export const isAnswered = (socket: Socket): boolean => answered.has(socket)

/** Called before the answer is sent. Who sends on for too long, or too much, is cut off after it. */
export function discardBody(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  if (request.complete || request.destroyed) return
  answered.add(request.socket)
  let left = DROPPED_BYTES.max
  let cancelRest = (): void => undefined

  const cut = (): void => {
    DROPPED_BYTES.hit()
    request.pause()
    const destroy = (): void => void request.socket.destroy()
    if (response.writableFinished) destroy()
    else response.once('finish', destroy)
  }
  const drop = (bytes: Buffer): void => {
    left -= bytes.length
    if (left < 0) {
      request.off('data', drop)
      return cut()
    }
    request.pause()
    cancelRest = clock.after(bytes.length / BYTES_PER_MS, () => request.resume())
  }
  const cancelCut = clock.after(DROP_MS, cut)
  const cancel = (): void => {
    cancelCut()
    cancelRest()
  }
  request
    .once('end', () => {
      answered.delete(request.socket)
      cancel()
    })
    .once('close', cancel)
    .on('error', () => undefined)
  request.on('data', drop)
}
