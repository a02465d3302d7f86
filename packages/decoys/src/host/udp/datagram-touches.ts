// How many touches datagrams may raise. Tools send thousands a second, and their sources are easily forged.
import type { Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'

export interface DatagramLimits {
  /** Datagrams of one source that raise events, a minute. */
  readonly datagramEventsPerSource: Limit
  /** Datagrams of all sources that raise an event or a report, a second. */
  readonly datagramTouches: Limit
  /** Sources whose datagrams are counted apart. */
  readonly datagramSources: Limit
  /** 1: what is counted in all is one key. */
  readonly counters: Limit
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

export function datagramTouches(limits: DatagramLimits) {
  const { datagramEventsPerSource: perSource, datagramTouches: inAll, datagramSources, counters } = limits
  const bySource = windowCounter<string>(datagramSources, MINUTE_MS)
  const all = windowCounter<'all'>(counters, SECOND_MS)

  function mayReport(nowMs: number): boolean {
    const isWithin = all.count('all', nowMs) <= inAll.max
    if (!isWithin) inAll.hit()
    return isWithin
  }

  return {
    /** Whether a report of a source may begin. */
    mayReport,
    /** Whether one more datagram of this source may raise its events. */
    mayRaise(source: string, nowMs: number) {
      // The source first: one that sends many does not use up what is there for all.
      if (bySource.count(source, nowMs) <= perSource.max) return mayReport(nowMs)
      perSource.hit()
      return false
    },
  }
}

export type DatagramTouches = ReturnType<typeof datagramTouches>
