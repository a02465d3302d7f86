// A request that is answered before its body has arrived: the rest is dropped for a while, so that the client reads the
// answer. A connection closed while bytes arrive would be reset, and the answer lost (RFC 9112, 9.6).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@rookery/kernel/world.ts'
import { DROPPED_BYTES, DROPPED_BYTES_PER_SECOND } from './request-limits.ts'
import { collectYoung } from './young-garbage.ts'

const DROP_MS = 2_000
const SECOND_MS = 1_000
/** Dropped buffers are garbage outside V8's heap. */
const COLLECT_EVERY_BYTES = 2 * 1024 * 1024

/** Connections whose request was answered before its body had arrived. */
const answered = new WeakSet<Socket>()

/** Whether a failure of this connection comes after the answer: a second answer would only confuse. */
export const isAnswered = (socket: Socket): boolean => answered.has(socket)

/** Called before the answer is sent. Who sends on for too long, or too much, is cut off after it. */
export type DiscardBody = (request: IncomingMessage, response: ServerResponse) => void

/** What is dropped of all bodies together is bounded by the second: beyond that, senders wait. */
export function bodyDiscarder(clock: Clock): DiscardBody {
  let second = 0
  let dropped = 0
  let sinceCollected = 0

  /** Counts bytes that were read; answers how long no more may be read. */
  function pauseAfter(bytes: number): number {
    const now = clock.now()
    const current = Math.floor(now / SECOND_MS)
    if (current !== second) dropped = 0
    second = current
    dropped += bytes
    sinceCollected += bytes
    if (sinceCollected >= COLLECT_EVERY_BYTES) {
      sinceCollected = 0
      collectYoung()
    }
    if (dropped <= DROPPED_BYTES_PER_SECOND.max) return 0
    DROPPED_BYTES_PER_SECOND.hit()
    return (current + 1) * SECOND_MS - now
  }

  return (request, response) => {
    if (request.complete || request.destroyed) return
    answered.add(request.socket)
    let left = DROPPED_BYTES.max
    let cancelPause = (): void => undefined

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
      const pauseMs = pauseAfter(bytes.length)
      if (pauseMs === 0) return
      request.pause()
      cancelPause = clock.after(pauseMs, () => request.resume())
    }
    const cancelCut = clock.after(DROP_MS, cut)
    const cancel = (): void => {
      cancelCut()
      cancelPause()
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
}
