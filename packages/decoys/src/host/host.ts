// The one place of a Bird that owns sockets. Services are pure; they meet the network only here.
import { Fault } from '@rookery/kernel/fault.ts'
import type { BoundPorts, Sensor } from '../session/sensor.ts'
import type { Listener } from '../session/session.ts'
import { bindFailureReason, portName, type BoundPort } from './bound-port.ts'
import { buildHostContext, type HostContext, type HostDeps } from './host-context.ts'
import { sensorDoor } from './sensors/sensors.ts'
import { defaultLimits, emptyStats, type HostLimits } from './limits.ts'
import { bindTcp } from './tcp.ts'
import { bindUdp } from './udp/udp.ts'

export interface HostOptions extends HostDeps {
  /** The address on which every decoy listens, such as `127.0.0.1`, `0.0.0.0` or `::`. */
  readonly bind: string
  /** Added to every logical port: with 20000, SSH listens at 20022. `any`: a free port of the system's choice (tests). */
  readonly portOffset: number | 'any'
  readonly limits?: Partial<HostLimits>
  /** Why packets cannot be read here, as a phrase; by default the system is asked. */
  readonly captureObstacle?: () => string | undefined
}

/** A listener that does not listen. */
export interface ListenFailure {
  readonly instance: string
  /** A phrase, such as `port 20022 is in use`. */
  readonly reason: string
}

/**
 * Opens a host without listeners.
 *
 * `emit` runs synchronously for the events of each piece of input, before any byte of its answers goes to the system:
 * when it returns, the answers may go. Addresses are normalized (IPv4 also when it arrives over IPv6), values bounded (4 KiB each).
 * A session that throws loses its connection and is counted in `stats`; nothing that an intruder sends ends the host.
 */
export function openHost(options: HostOptions) {
  const stats = emptyStats()
  const { bind, clock, emit, captureObstacle: obstacle } = options
  const sensors = sensorDoor({ bind, clock, emit, ...(obstacle && { obstacle }) })
  const context = buildHostContext(
    { ...options, connected: sensors.connected },
    { ...defaultLimits, ...options.limits },
    stats,
  )
  const oneAtATime = serialExecution()
  let ports: PortMap = new Map()
  let wanted = byPort([])
  let isClosed = false

  async function bindWanted(): Promise<readonly ListenFailure[]> {
    if (isClosed) throw new Fault('unavailable', 'the host is closed')
    const { first, repeated } = wanted
    const missing = [...first].filter(([key]) => !ports.has(key))
    const { opened, failures } = await bindAll(missing, options, context)
    const [kept, dropped] = partition(ports, first)
    for (const [key, port] of kept) port.listener = successor(port.listener, first.get(key)!)
    ports = new Map([...opened, ...kept])
    sensors.portsChanged(boundPorts(ports))
    await closeAll(dropped.values())
    return [...repeated, ...failures]
  }

  return {
    /** Live counters. */
    stats,
    /**
     * Replaces the listeners by these, in two phases: binds the new ports, then closes the ports that are no longer
     * listed, with their connections. A listener on a port that is already open takes it over, without a new bind, unless it
     * depends on the same settings as the one that stands. Old connections keep the old settings, new ones get the new; a
     * listener takes over the `memory` of the one that had its instance and transport. Sensors that are not listed end, new ones start.
     *
     * Resolves with the listeners whose port cannot be bound, and why; the others listen. Rejects with an `unavailable`
     * fault once the host is closed. Calls run one after another.
     */
    apply: (
      listeners: readonly Listener[],
      wantedSensors: readonly Sensor[] = [],
    ): Promise<readonly ListenFailure[]> =>
      oneAtATime(async () => {
        // Also of those whose port could not be bound: they may have taken over what others remember.
        handOver(
          [...[...ports.values()].map(({ listener }) => listener), ...wanted.first.values()],
          listeners,
        )
        wanted = byPort(listeners)
        const failures = await bindWanted()
        await sensors.apply(wantedSensors)
        return failures
      }),
    /** Tries again to bind the ports that could not be bound; resolves with those that still cannot. */
    retry: (): Promise<readonly ListenFailure[]> => oneAtATime(bindWanted),
    /** The listeners of now; `port` is the logical one, `boundPort` the one that the system has open. */
    listening: (): readonly {
      instance: string
      transport: 'tcp' | 'udp'
      port: number
      boundPort: number
    }[] =>
      [...ports.values()].map(({ listener: { instance, transport, port }, port: boundPort }) => ({
        instance,
        transport,
        port,
        boundPort,
      })),
    /** The sensors that are on, and by which way each notices. */
    sensing: sensors.status,
    /** Closes every port and destroys every connection. Resolves within a second, after their last events are emitted. */
    close: (): Promise<void> =>
      oneAtATime(async () => {
        isClosed = true
        await Promise.all([closeAll(ports.values()), sensors.close()])
        ports = new Map()
        context.flushSilent()
      }),
  }
}

export type Host = ReturnType<typeof openHost>

/** By `<transport>:<logical port>`. */
type PortMap = ReadonlyMap<string, BoundPort>
type ListenerMap = ReadonlyMap<string, Listener>

function serialExecution() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act)
    last = done.catch(() => {})
    return done
  }
}

/** Of TCP, which alone sensors see. */
const boundPorts = (ports: PortMap): BoundPorts =>
  [...ports.values()].flatMap(({ port, listener }) =>
    listener.transport === 'tcp' ? [[port, listener.port] as const] : [],
  )

/** Binds those of them that can be bound, and names the others. */
async function bindAll(
  listeners: readonly (readonly [key: string, Listener])[],
  options: HostOptions,
  context: HostContext,
): Promise<{ readonly opened: PortMap; readonly failures: readonly ListenFailure[] }> {
  const opened = new Map<string, BoundPort>()
  const failures: ListenFailure[] = []
  const results = await Promise.all(
    listeners.map(async ([key, listener]) => ({ key, result: await bindOne(listener, options, context) })),
  )
  for (const { key, result } of results) {
    if ('reason' in result) failures.push(result)
    else opened.set(key, result)
  }
  return { opened, failures }
}

async function bindOne(
  listener: Listener,
  options: HostOptions,
  context: HostContext,
): Promise<BoundPort | ListenFailure> {
  const { bind, portOffset } = options
  const { instance, transport } = listener
  const port = portOffset === 'any' ? 0 : listener.port + portOffset
  if (port > 65_535) {
    return { instance, reason: `port ${port} does not exist: ${listener.port} is too high for the offset` }
  }
  const bindPort = transport === 'tcp' ? bindTcp : bindUdp
  try {
    return await bindPort(bind, port, listener, context)
  } catch (error) {
    return { instance, reason: bindFailureReason(error, bind, port, transport) }
  }
}

/** The next listener of a port, or the one that stands when nothing changes for its sessions. */
const successor = (current: Listener, next: Listener): Listener =>
  current.instance === next.instance && next.dependsOn !== undefined && current.dependsOn === next.dependsOn
    ? current
    : next

/** What each of the new listeners goes on with, of those before it. */
function handOver(before: readonly Listener[], listeners: readonly Listener[]): void {
  for (const { instance, transport, memory } of listeners) {
    const isPredecessor = (it: Listener): boolean => it.instance === instance && it.transport === transport
    const known = before.find((it) => it.memory && isPredecessor(it))?.memory
    if (known) memory?.takeOver(known)
  }
}

function partition(ports: PortMap, wanted: ListenerMap): [kept: PortMap, dropped: PortMap] {
  const all = [...ports]
  return [new Map(all.filter(([key]) => wanted.has(key))), new Map(all.filter(([key]) => !wanted.has(key)))]
}

async function closeAll(ports: Iterable<BoundPort>): Promise<void> {
  await Promise.all([...ports].map((port) => port.close()))
}

/** The first listener of each port; the others on it cannot listen. */
function byPort(listeners: readonly Listener[]) {
  const first = new Map<string, Listener>()
  const repeated: ListenFailure[] = []
  for (const listener of listeners) {
    const { instance, transport, port } = listener
    const key = `${transport}:${port}`
    const other = first.get(key)
    if (other)
      repeated.push({
        instance,
        reason: `${portName(port, transport)} is given to ${other.instance} as well`,
      })
    else first.set(key, listener)
  }
  return { first, repeated }
}
