// The door of sensors, besides that of listeners: they read packets where the system allows it, and see connections elsewhere.
import { steadyTime } from '@rookery/kernel/steady-time.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { BoundPorts, ConnectionWatch, Sensor, SensorStatus, SensorEvent } from '../../session/sensor.ts'
import { isLoopback } from '../udp/local-addresses.ts'
import { captureObstacle } from './capability.ts'
import { openCapture, type Capture } from './capture.ts'
import { hostTouch, type Endpoint, type HostTouch } from '../host-touch.ts'

export interface SensorDeps {
  readonly bind: string
  readonly clock: Clock
  readonly emit: (touches: readonly HostTouch[]) => void
  /** Why packets cannot be read here, as a phrase. */
  readonly obstacle?: () => string | undefined
}

interface ActiveSensor {
  readonly status: SensorStatus
  readonly watch?: ConnectionWatch
  readonly capture?: Capture
}

/** Other programs of the machine are no intruders. */
const LOOPBACK = 'it listens on loopback, so only its decoys’ ports are watched'

export function sensorDoor({ bind, clock, emit, obstacle = captureObstacle }: SensorDeps) {
  const running = new Map<string, ActiveSensor>()
  const limits = isLoopback(bind) ? [LOOPBACK] : []
  const steady = steadyTime()
  let ports: BoundPorts = []
  let cancelTimer = (): void => {}

  const emitEvent = (instance: string, event: SensorEvent): void =>
    emit([hostTouch(instance, event, { ...event, at: clock.now() })])

  async function start(sensor: Sensor): Promise<ActiveSensor> {
    const { instance } = sensor
    const watching = (reason: string): ActiveSensor => ({
      status: { instance, way: 'connections', reason: [...limits, reason].join('; ') },
      watch: sensor.watchConnections(),
    })
    const reason = obstacle()
    if (reason !== undefined) return watching(reason)
    try {
      const capture = await openCapture(
        sensor,
        { bind, ports },
        {
          onEvent: (event) => emitEvent(instance, event),
          onFailure: (failure) => running.set(instance, watching(failure)),
        },
      )
      capture.setPorts(ports)
      return { status: { instance, way: 'packets', reason: limits.join('; ') }, capture }
    } catch (error) {
      return watching((error as Error).message)
    }
  }

  async function end(instance: string): Promise<void> {
    const { capture } = running.get(instance) ?? {}
    running.delete(instance)
    await capture?.close()
  }

  function emitDue(): void {
    cancelTimer()
    const now = steady(clock.now())
    for (const [instance, { watch }] of running)
      for (const event of watch?.due(now) ?? []) emitEvent(instance, event)
    const times = [...running.values()].flatMap(({ watch }) => watch?.nextAt() ?? [])
    cancelTimer = times.length === 0 ? () => {} : clock.after(Math.max(0, Math.min(...times) - now), emitDue)
  }

  return {
    /** Starts those that are new, ends those that are not listed. Resolves once each stands by one way or the other. */
    async apply(wanted: readonly Sensor[]): Promise<void> {
      const instances = new Set(wanted.map(({ instance }) => instance))
      await Promise.all([...running.keys()].filter((it) => !instances.has(it)).map(end))
      for (const sensor of wanted)
        if (!running.has(sensor.instance)) running.set(sensor.instance, await start(sensor))
    },
    /** Other ports are bound than before. */
    portsChanged(bound: BoundPorts) {
      ports = bound
      for (const { capture } of running.values()) capture?.setPorts(ports)
    },
    /** A connection to a decoy. */
    connected(src: Endpoint, dst: Endpoint) {
      const now = steady(clock.now())
      let isWatched = false
      for (const { watch } of running.values()) {
        watch?.add(src, dst, now)
        isWatched ||= watch !== undefined
      }
      if (isWatched) emitDue()
    },
    status: (): readonly SensorStatus[] => [...running.values()].map(({ status }) => status),
    async close(): Promise<void> {
      cancelTimer()
      await Promise.all([...running.keys()].map(end))
    },
  }
}
