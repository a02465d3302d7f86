// Opens the ports of the services, and says which services do not listen.
import type { Host, ListenFailure } from '@rookery/decoys/host/host.ts'
import type { BirdFolders, BirdSettings, Service } from '@rookery/decoys/session/session.ts'
import { listenersOf } from './listeners.ts'

/** Both calls resolve with the services that do not listen; neither rejects. */
export function portOpener(
  host: Pick<Host, 'apply' | 'retry'>,
  services: Readonly<Record<string, Service>>,
  folders?: BirdFolders,
) {
  /** Services whose settings cannot be used: trying again does not help them. */
  let unusable: readonly ListenFailure[] = []
  let last: readonly ListenFailure[] = []

  async function attempt(
    closed: readonly ListenFailure[],
    opening: Promise<readonly ListenFailure[]>,
  ): Promise<readonly ListenFailure[]> {
    // The host rejects only when it is closed: the Bird is stopping.
    last = await opening.then(
      (failed) => [...unusable, ...failed],
      () => closed,
    )
    return last
  }

  return {
    /** Opens the ports of these settings, and closes all others. */
    open(settings: BirdSettings): Promise<readonly ListenFailure[]> {
      const { listeners, sensors, failures } = listenersOf(services, settings, folders)
      unusable = failures
      const closed = listeners.map(({ instance }) => ({ instance, reason: 'the Bird is stopping' }))
      return attempt([...failures, ...closed], host.apply(listeners, sensors))
    },
    /** Opens the ports that could not be opened. */
    retry: (): Promise<readonly ListenFailure[]> => attempt(last, host.retry()),
  }
}
