// How many requests of each source wait for their answers, and when it has sent too many at once.
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'

/** Requests of one source that wait, for each connection that it may have; with more its connections end, and it stays out. */
export const OF_SOURCE = limit('http_requests_waiting_per_source', 2)
/** Requests of one source in ten seconds that come behind many others of their connection, for each connection that it may have; with more it stays out. */
const PIPELINED = limit('http_requests_pipelined_per_source', 4)
const PIPELINED_WITHIN_MS = 10_000
/** So many others. Clients that pipeline have about ten under way. */
const MANY = 16
/** Sources whose pipelined requests are counted. */
const PIPELINING = limit('http_sources_that_pipeline', 1_000)

/** Of sources that may have so many connections each. */
export function requestsOfSources(perSource: Limit, clock: Clock) {
  const most = OF_SOURCE.max * perSource.max
  const waiting = new Map<string, number>()
  const pipelined = windowCounter<string>(PIPELINING, PIPELINED_WITHIN_MS)

  function change(source: string, difference: 1 | -1): number {
    const count = (waiting.get(source) ?? 0) + difference
    if (count > 0) waiting.set(source, count)
    else waiting.delete(source)
    return count
  }

  return {
    most,
    /** Answers how many wait now. */
    add: (source: string) => change(source, 1),
    remove: (source: string) => void change(source, -1),
    /** The limit that the source meets with a request, the last of so many of its and of one connection that wait. */
    limitMet(source: string, ofSource: number, ofConnection: number): Limit | undefined {
      if (ofSource > most) return OF_SOURCE
      // Connections are accepted one in a turn of the event loop: those of a source that has many are served before the next
      // one is, so that few of its requests wait at any time, and all connections behind them.
      if (ofConnection <= MANY) return undefined
      return pipelined.count(source, clock.now()) > PIPELINED.max * perSource.max ? PIPELINED : undefined
    },
  }
}
