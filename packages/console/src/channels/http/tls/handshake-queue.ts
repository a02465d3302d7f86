// How many TLS handshakes begin in a second: each costs up to a millisecond of the one thread. What is too much waits.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'

export interface HandshakeQueue {
  /**
   * Calls `begin` at once, or when it is the source's turn; a source of `undefined` stands for many, and has no bound of its
   * own. Answers what leaves the queue; undefined, and `begin` is never called, when too many wait.
   */
  enter(source: string | undefined, begin: () => void): (() => void) | undefined
}

const PER_SOURCE = limit('token_tls_handshakes_per_source', 50)
const IN_ALL = limit('token_tls_handshakes', 200)
const SOURCES = limit('token_tls_handshake_sources', 4_096)
const TOTALS = limit('token_tls_handshake_totals', 1)
const WAITING = limit('token_tls_handshakes_waiting', 1_000)
const SECOND_MS = 1_000
const LOOK_EVERY_MS = 100

interface QueueEntry {
  readonly source: string | undefined
  readonly begin: () => void
}

export function openHandshakeQueue(clock: Clock): HandshakeQueue {
  const bySource = windowCounter<string>(SOURCES, SECOND_MS)
  const inAll = windowCounter<'all'>(TOTALS, SECOND_MS)
  /** In the order of their arrival. */
  const waiting = new Set<QueueEntry>()
  let isLooking = false

  /** The bound that is met; undefined where the source may begin, which is counted then. */
  function boundOf(source: string | undefined): typeof IN_ALL | undefined {
    const now = clock.now()
    if (source !== undefined && bySource.peek(source, now) >= PER_SOURCE.max) return PER_SOURCE
    if (inAll.peek('all', now) >= IN_ALL.max) return IN_ALL
    if (source !== undefined) bySource.count(source, now)
    inAll.count('all', now)
    return undefined
  }

  function look(): void {
    for (const next of waiting) {
      const met = boundOf(next.source)
      if (met === IN_ALL) break
      if (met) continue
      waiting.delete(next)
      next.begin()
    }
    isLooking = waiting.size > 0
    if (isLooking) clock.after(LOOK_EVERY_MS, look)
  }

  return {
    enter(source, begin) {
      const met = boundOf(source)
      if (!met) {
        begin()
        return () => undefined
      }
      met.hit()
      if (waiting.size >= WAITING.max) {
        WAITING.hit()
        return undefined
      }
      const entry = { source, begin }
      waiting.add(entry)
      if (!isLooking) clock.after(LOOK_EVERY_MS, look)
      isLooking = true
      return () => void waiting.delete(entry)
    },
  }
}
