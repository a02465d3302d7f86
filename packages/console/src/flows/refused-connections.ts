// A source that had more connections at work than it may have was refused some: what it would have touched is not known, so
// that itself is an incident of the console (23008), reported once a minute for each source and listener.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../app-context.ts'
import { consoleArrival } from './raise/console-arrival.ts'
import type { NewIncident } from './raise/plan.ts'
import { raise, type RaiseDeps } from './raise/raise.ts'

export interface RefusedConnectionsDeps extends Pick<AppContext, 'writer' | 'world' | 'log'> {
  readonly raising: RaiseDeps
  readonly onRaised: (created: readonly NewIncident[]) => void
}

interface Refused {
  readonly reportedAt: number
  /** Since then. */
  unreported: number
}

const LOGTYPE = '23008'
const REPORTED_EVERY_MS = 60_000
/** Sources of a listener whose refused connections are counted. */
const SOURCES = limit('refused_sources', 1_000)

/** Called for each connection of an address that this listener refuses. Does not throw. */
export function refusedConnections(
  { writer, world, log, raising, onRaised }: RefusedConnectionsDeps,
  service: string,
): (address: string) => void {
  const sources = boundedMap<string, Refused>(SOURCES)

  async function report(srcHost: string, count: number, now: number): Promise<void> {
    const fields = { SERVICE: service, COUNT: count }
    const arrival = consoleArrival({ logtype: LOGTYPE, instance: service, srcHost, fields }, now)
    try {
      onRaised(await writer.write((tx) => raise(tx, [arrival], raising)))
    } catch (error) {
      log.error(
        { err: error, address: srcHost, service },
        'could not raise the incident of refused connections',
      )
    }
  }

  return (address) => {
    const now = world.clock.now()
    const known = sources.get(address)
    if (known && Math.abs(now - known.reportedAt) < REPORTED_EVERY_MS) return void known.unreported++
    sources.set(address, { reportedAt: now, unreported: 0 })
    void report(address, 1 + (known?.unreported ?? 0), now)
  }
}
