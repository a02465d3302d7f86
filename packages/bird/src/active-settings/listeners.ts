// From the settings object to the ports that the services listen on.
import { Fault } from '@rookery/kernel/fault.ts'
import type { BirdSettings, Listener, Service } from '@rookery/decoys/session.ts'

/** All listeners under these settings. A `bad-input` fault names the service whose settings cannot be used. */
export function listenersOf(services: Readonly<Record<string, Service>>, settings: BirdSettings): Listener[] {
  return Object.entries(services).flatMap(([name, service]) => {
    let listeners: readonly Listener[]
    try {
      listeners = service.listeners(settings)
    } catch (error) {
      throw new Fault('bad-input', `the settings of ${name} cannot be used: ${(error as Error).message}`, {
        cause: error,
      })
    }
    for (const { port, instance } of listeners) {
      if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        throw new Fault(
          'bad-input',
          `${instance}.port must be a number from 1 to 65535, not ${JSON.stringify(port)}`,
        )
      }
    }
    return listeners
  })
}
