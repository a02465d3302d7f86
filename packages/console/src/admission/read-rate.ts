// Reading at a bounded rate. Readers that are ahead of it wait, and go on in turn, a few at a time: a second's share read at
// once would keep everyone else waiting.
import type { Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'

const SLICE_MS = 20
const SECOND_MS = 1_000
/** What a socket gives at once, at most. */
const CHUNK_BYTES = 64 * 1024

export interface ReadRate {
  /** Counts bytes that were read; answers whether the reader may go on at once. */
  count(bytes: number): boolean
  /** Calls `goOn` once it is the reader's turn; the answer takes it out. */
  wait(goOn: () => void): () => void
}

export function openReadRate(clock: Pick<Clock, 'after'>, bytesPerSecond: Limit): ReadRate {
  const share = (bytesPerSecond.max * SLICE_MS) / SECOND_MS
  const waiting = new Set<() => void>()
  let ahead = 0
  let isTicking = false

  /** Ticks until nothing is ahead and nobody waits. */
  function tick(): void {
    ahead = Math.max(0, ahead - share)
    let free = share - ahead
    for (const goOn of waiting) {
      if (free <= 0) break
      free -= CHUNK_BYTES
      waiting.delete(goOn)
      goOn()
    }
    isTicking = ahead > 0 || waiting.size > 0
    if (isTicking) clock.after(SLICE_MS, tick)
  }

  function start(): void {
    if (isTicking) return
    isTicking = true
    clock.after(SLICE_MS, tick)
  }

  return {
    count(bytes) {
      ahead += bytes
      start()
      if (ahead <= share) return true
      bytesPerSecond.hit()
      return false
    },
    wait(goOn) {
      waiting.add(goOn)
      start()
      return () => waiting.delete(goOn)
    },
  }
}
