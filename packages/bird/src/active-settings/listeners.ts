// From the settings object to the ports that the services listen on, and to what notices without a port.
import type { ListenFailure } from '@rookery/decoys/host/host.ts'
import type { Sensor } from '@rookery/decoys/session/sensor.ts'
import type { BirdFolders, BirdSettings, Listener, Service } from '@rookery/decoys/session/session.ts'

/** Listeners and sensors under these settings, and the services whose settings cannot be used. */
export function listenersOf(
  services: Readonly<Record<string, Service>>,
  settings: BirdSettings,
  folders?: BirdFolders,
): {
  readonly listeners: readonly Listener[]
  readonly sensors: readonly Sensor[]
  readonly failures: readonly ListenFailure[]
} {
  const listeners: Listener[] = []
  const sensors: Sensor[] = []
  const failures: ListenFailure[] = []
  for (const [name, service] of Object.entries(services)) {
    try {
      sensors.push(...(service.sensors?.(settings) ?? []))
      for (const listener of service.listeners(settings, folders)) {
        const reason = portProblem(listener.port)
        if (reason === undefined) listeners.push(listener)
        else failures.push({ instance: listener.instance, reason })
      }
    } catch (error) {
      failures.push({ instance: name, reason: `its settings cannot be used: ${(error as Error).message}` })
    }
  }
  return { listeners, sensors, failures }
}

const portProblem = (port: number): string | undefined =>
  Number.isInteger(port) && port >= 1 && port <= 65_535
    ? undefined
    : `its port must be a number from 1 to 65535, not ${JSON.stringify(port)}`
