// What nobody reads of what a client sends: taken off the wire and forgotten, from all clients together at a bounded rate.
import type { Readable } from 'node:stream'
import type { Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { youngGarbage } from '@rookery/kernel/young-garbage.ts'
import { openReadRate } from './read-rate.ts'

/** Dropped buffers are garbage outside V8's heap. */
const COLLECT_EVERY_BYTES = 2 * 1024 * 1024

/** Drops what comes, and calls `onBytes` with the length of each piece; the answer ends that, and so does the end of `from`. */
export type DropBytes = (from: Readable, onBytes?: (bytes: number) => void) => () => void

/** Beyond `bytesPerSecond` senders wait, and go on in turn. */
export function openByteDropper(clock: Pick<Clock, 'after'>, bytesPerSecond: Limit): DropBytes {
  const rate = openReadRate(clock, bytesPerSecond)
  const collect = youngGarbage(COLLECT_EVERY_BYTES)

  return (from, onBytes) => {
    let isOver = false
    let cancelWait = (): void => undefined
    const stop = (): void => {
      isOver = true
      cancelWait()
      from.off('data', drop)
    }
    const drop = ({ length }: Buffer): void => {
      collect(length)
      const isWithinRate = rate.count(length)
      onBytes?.(length)
      if (isWithinRate || isOver) return
      from.pause()
      cancelWait = rate.wait(() => from.resume())
    }
    from
      .once('end', stop)
      .once('close', stop)
      .on('error', () => undefined)
      .on('data', drop)
    return stop
  }
}
