// The end of a Bird, once, by `stop` or by its console: closes everything in order.
import type { Host } from '@rookery/decoys/host/host.ts'
import type { ActiveSettings } from './active-settings/active-settings.ts'
import type { EndPhase, Level } from './options.ts'
import type { EventSpool } from './event-spool.ts'

export interface Lifecycle {
  /** The first call counts; the others wait with it. */
  end(ending: EndPhase, reason: string): Promise<void>
  readonly ended: Promise<EndPhase>
}

export interface LifecycleDeps {
  readonly host: Pick<Host, 'close'>
  readonly settings: Pick<ActiveSettings, 'stop'>
  readonly spool: Pick<EventSpool, 'flush' | 'close'>
  readonly stopLink: (reason: string) => void
  readonly log: (level: Level, message: string) => void
  /** Deletes what identifies this Bird: after a decommission. */
  readonly wipe: () => void
  /** Everything is closed. */
  readonly onEnded: (ending: EndPhase) => void
}

export function lifecycle(deps: LifecycleDeps): Lifecycle {
  const { host, settings, spool, log } = deps
  const { promise: ended, resolve } = Promise.withResolvers<EndPhase>()
  let ending: Promise<void> | undefined
  // While the console is away nothing else keeps the process running.
  const keepAlive = setInterval(() => {}, 3_600_000)

  async function close(how: EndPhase, reason: string): Promise<void> {
    log(how === 'revoked' ? 'error' : 'info', `This Bird stops: ${reason}`)
    const hostClosed = host.close()
    deps.stopLink(reason)
    await settings.stop().catch(() => {})
    await hostClosed
    await spool
      .flush()
      .catch((error: Error) => log('error', `The spool cannot be synced to disk: ${error.message}`))
    spool.close()
    if (how === 'decommissioned') deps.wipe()
    clearInterval(keepAlive)
    deps.onEnded(how)
    resolve(how)
  }

  return { ended, end: (how, reason) => (ending ??= close(how, reason)) }
}
