// Twenty unknown keys of one source in a minute are an incident of the console (23004), once for that minute.
import type { AppContext } from '../app-context.ts'
import type { Arrival } from './raise/arrival.ts'
import { consoleArrival } from './raise/console-arrival.ts'
import type { NewIncident } from './raise/plan.ts'
import { raise, type RaiseDeps } from './raise/raise.ts'

export interface UnknownKeysDeps extends Pick<AppContext, 'writer' | 'world' | 'log'> {
  readonly raising: RaiseDeps
  readonly onRaised: (created: readonly NewIncident[]) => void
}

const LOGTYPE = '23004'
const LOG_EVERY_MS = 60_000

/** Raises the incident for a source that tried so many unknown keys. Does not throw. */
export function unknownKeysWatch(deps: UnknownKeysDeps): (address: string, count: number) => Promise<void> {
  const { writer, world, log, raising, onRaised } = deps
  let loggedAt = -Infinity
  let sources = 0

  /** One line a minute at most, for all sources. */
  function logSource(address: string, now: number): void {
    sources++
    if (Math.abs(now - loggedAt) < LOG_EVERY_MS) return
    loggedAt = now
    log.warn(
      { address, sources },
      'unknown API keys tried; further ones of this source are refused for a minute',
    )
    sources = 0
  }

  return async (address, count) => {
    const now = world.clock.now()
    logSource(address, now)
    try {
      onRaised(await writer.write((tx) => raise(tx, [arrivalOf(address, count, now)], raising)))
    } catch (error) {
      log.error({ err: error, address }, 'could not raise the incident of unknown API keys')
    }
  }
}

const arrivalOf = (srcHost: string, count: number, now: number): Arrival =>
  consoleArrival({ logtype: LOGTYPE, instance: 'api', srcHost, fields: { COUNT: count } }, now)
