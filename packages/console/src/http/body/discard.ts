// A request that is answered before its body has arrived: the rest is dropped for a while, so that the client reads the
// answer. A connection closed while bytes arrive would be reset, and the answer lost (RFC 9112, 9.6).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@rookery/kernel/world.ts'
import { openByteDropper } from '../../admission/drop-bytes.ts'
import { DROPPED_BYTES, DROPPED_BYTES_PER_SECOND } from '../request-limits.ts'

const DROP_MS = 2_000

/** Connections whose request was answered before its body had arrived. */
const answered = new WeakSet<Socket>()

/** Whether a failure of this connection comes after the answer: a second answer would only confuse. */
export const isAnswered = (socket: Socket): boolean => answered.has(socket)

/** Called before the answer is sent. Who sends on for too long, or too much, is cut off after it. */
export type DiscardBody = (request: IncomingMessage, response: ServerResponse) => void

/** What is dropped of all bodies together is bounded by the second: beyond that, senders wait. */
export function bodyDiscarder(clock: Clock): DiscardBody {
  const drop = openByteDropper(clock, DROPPED_BYTES_PER_SECOND)

  return (request, response) => {
    if (request.complete || request.destroyed) return
    answered.add(request.socket)
    let left = DROPPED_BYTES.max

    const cut = (): void => {
      stop()
      DROPPED_BYTES.hit()
      request.pause()
      const destroy = (): void => void request.socket.destroy()
      if (response.writableFinished) destroy()
      else response.once('finish', destroy)
    }
    const stop = drop(request, (bytes) => {
      left -= bytes
      if (left < 0) cut()
    })
    const cancelCut = clock.after(DROP_MS, cut)
    request
      .once('end', () => {
        answered.delete(request.socket)
        cancelCut()
      })
      .once('close', cancelCut)
  }
}
