// The bytes of a body that may be long, and must not be slow: a share of a file takes at most half a minute of waiting.
import type { IncomingMessage } from 'node:http'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'

const WAITED_MS = 30_000
/** A body that comes slower is given up. */
const MIN_RATE = limit('upload_bytes_per_second_at_least', 16 * 1024)
const SHARE_BYTES = (MIN_RATE.max * WAITED_MS) / 1_000

/** Rejects with `timeout`; the connection stays for the answer. What we take to store them does not count. */
export async function* steadyBytes(
  request: IncomingMessage,
  clock: Pick<Clock, 'now' | 'after'>,
): AsyncGenerator<Uint8Array> {
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let [waitedMs, received] = [0, 0]
  for (;;) {
    const from = clock.now()
    const next = await inTime(pieces.next(), clock, WAITED_MS - waitedMs)
    if (next.done) return
    waitedMs += clock.now() - from
    received += next.value.byteLength
    if (received >= SHARE_BYTES) [waitedMs, received] = [0, 0]
    yield next.value
  }
}

function inTime<T>(coming: Promise<T>, clock: Pick<Clock, 'after'>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, ms), () => {
      MIN_RATE.hit()
      reject(
        new Fault(
          'timeout',
          `The zip came slower than ${MIN_RATE.max} bytes a second, and was given up. Send it again.`,
        ),
      )
    })
    coming.then(resolve, reject).finally(cancel)
  })
}
