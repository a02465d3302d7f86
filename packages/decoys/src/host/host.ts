// The one place of a Bird that owns sockets. Services are pure; they meet the network only here.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Listener } from '../session.ts'
import { bindFailureReason, type BoundPort } from './bound-port.ts'
import { buildHostContext, type HostContext, type HostDeps } from './host-context.ts'
import { defaultLimits, emptyStats, type HostLimits, type HostStats } from './limits.ts'
import { bindTcp } from './tcp.ts'
import { bindUdp } from './udp.ts'

export interface HostOptions extends HostDeps {
  /** The address on which every decoy listens, such as `127.0.0.1`, `0.0.0.0` or `::`. */
  readonly bind: string
  /** Added to every logical port: with 20000, SSH listens at 20022. `any`: a free port of the system's choice (tests). */
  readonly portOffset: number | 'any'
  readonly limits?: Partial<HostLimits>
}

export interface Host {
  /**
   * Replaces the listeners by these, in two phases: binds every new port, then closes the ports that are no longer
   * listed, with their connections. A listener on a port that is already open takes it over, without a new bind. Old
   * connections keep the old settings, new ones get the new.
   *
   * Rejects with a `conflict` fault that names every port that cannot be bound and why (`port 20022 is in use`); then
   * nothing has changed. Calls run one after another.
   */
  apply(listeners: readonly Listener[]): Promise<void>
  /** The listeners of now; `port` is the logical one, `boundPort` the one that the system has open. */
  listening(): readonly { instance: string; transport: 'tcp' | 'udp'; port: number; boundPort: number }[]
  /** Live counters. */
  readonly stats: Readonly<HostStats>
  /** Closes every port and destroys every connection. Resolves within a second, after their last events are emitted. */
  close(): Promise<void>
}

/**
 * Opens a host without listeners.
 *
 * `emit` runs synchronously for every event, before any byte of the answer goes to the system: when it returns, the
 * answer may go. Addresses are normalized (IPv4 also when it arrives over IPv6), values bounded (4 KiB each).
 * A session that throws loses its connection and is counted in `stats`; nothing that an intruder sends ends the host.
 */
export function openHost(options: HostOptions): Host {
  const stats = emptyStats()
  const context = buildHostContext(options, { ...defaultLimits, ...options.limits }, stats)
  const oneAtATime = serialExecution()
  let ports: PortMap = new Map()
  let isClosed = false

  async function replace(listeners: readonly Listener[]): Promise<void> {
    if (isClosed) throw new Fault('unavailable', 'the host is closed')
    const wanted = byPort(listeners)
    const missing = [...wanted].filter(([key]) => !ports.has(key))
    const opened = await bindAll(missing, options, context)
    const [kept, dropped] = partition(ports, wanted)
    for (const [key, port] of kept) port.listener = wanted.get(key)!
    ports = new Map([...opened, ...kept])
    await closeAll(dropped.values())
  }

  return {
    stats,
    apply: (listeners) => oneAtATime(() => replace(listeners)),
    listening: () =>
      [...ports.values()].map(({ listener: { instance, transport, port }, port: boundPort }) => ({
        instance,
        transport,
        port,
        boundPort,
      })),
    close: () =>
      oneAtATime(async () => {
        isClosed = true
        await closeAll(ports.values())
        ports = new Map()
      }),
  }
}

/** By `<transport>:<logical port>`. */
type PortMap = ReadonlyMap<string, BoundPort>

function serialExecution() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act)
    last = done.catch(() => {})
    return done
  }
}

/** Binds all of them or none; the fault names every port that failed. */
async function bindAll(
  listeners: readonly (readonly [key: string, Listener])[],
  options: HostOptions,
  context: HostContext,
): Promise<PortMap> {
  const results = await Promise.allSettled(
    listeners.map(async ([key, listener]) => [key, await bindOne(listener, options, context)] as const),
  )
  const opened = new Map(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
  const faults = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Fault] : []))
  if (faults.length === 0) return opened
  await closeAll(opened.values())
  throw new Fault('conflict', faults.map(({ message }) => message).join('; '), { cause: faults[0] })
}

async function bindOne(listener: Listener, options: HostOptions, context: HostContext): Promise<BoundPort> {
  const { bind, portOffset } = options
  const port = portOffset === 'any' ? 0 : listener.port + portOffset
  if (port > 65_535) {
    throw new Fault('conflict', `port ${port} does not exist: ${listener.port} is too high for the offset`)
  }
  const bindPort = listener.transport === 'tcp' ? bindTcp : bindUdp
  try {
    return await bindPort(bind, port, listener, context)
  } catch (error) {
    throw new Fault('conflict', bindFailureReason(error, bind, port, listener.transport), { cause: error })
  }
}

function partition(ports: PortMap, wanted: ReadonlyMap<string, Listener>): [kept: PortMap, dropped: PortMap] {
  const all = [...ports]
  return [new Map(all.filter(([key]) => wanted.has(key))), new Map(all.filter(([key]) => !wanted.has(key)))]
}

async function closeAll(ports: Iterable<BoundPort>): Promise<void> {
  await Promise.all([...ports].map((port) => port.close()))
}

function byPort(listeners: readonly Listener[]): ReadonlyMap<string, Listener> {
  const found = new Map<string, Listener>()
  for (const listener of listeners) {
    const key = `${listener.transport}:${listener.port}`
    const other = found.get(key)
    if (other) {
      throw new Fault(
        'conflict',
        `port ${listener.port} is given to both ${other.instance} and ${listener.instance}`,
      )
    }
    found.set(key, listener)
  }
  return found
}
