// The one place of a Bird that owns sockets. Services are pure; they meet the network only here.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Listener } from '../session.ts'
import { bindFailure, type Door } from './door.ts'
import { buildHouse, type Surroundings } from './house.ts'
import { defaultLimits, emptyStats, type HostLimits, type HostStats } from './limits.ts'
import { openTcp } from './tcp.ts'
import { openUdp } from './udp.ts'

export interface HostOptions extends Surroundings {
  /** The address on which every decoy listens, such as `127.0.0.1`, `0.0.0.0` or `::`. */
  readonly bind: string
  /** Added to every logical port: with 20000, SSH listens at 20022. `any`: whatever the system has free (tests). */
  readonly portOffset: number | 'any'
  readonly limits?: Partial<HostLimits>
}

export interface Host {
  /**
   * Makes exactly these listeners stand, in two phases: binds every new port, then swaps, then closes the ports that
   * are no longer named, with their connections. A listener on a port that is already open takes it over at once, without
   * binding anew: its old connections go on under the old settings, new ones meet the new.
   *
   * Rejects with a `conflict` fault that names every port that cannot be bound and why (`port 20022 is in use`); then
   * nothing has changed. Calls are carried out one after another.
   */
  apply(listeners: readonly Listener[]): Promise<void>
  /** Where the listeners stand now; `port` is the logical one, `boundPort` what the system has open. */
  listening(): readonly { instance: string; transport: 'tcp' | 'udp'; port: number; boundPort: number }[]
  /** Counters; read them whenever you like. */
  readonly stats: Readonly<HostStats>
  /** Closes every port and cuts every connection; their last events are emitted before it resolves, within a second. */
  close(): Promise<void>
}

/**
 * Opens a host without listeners.
 *
 * `emit` is called synchronously for every event, before a byte of the answer is handed to the system: when it returns,
 * the answer may go. Addresses come normalised (IPv4 also when it arrived over IPv6), values bounded (4 KiB each).
 * A session that throws loses its connection and is counted in `stats`; nothing an intruder sends ends the host.
 */
export function openHost(options: HostOptions): Host {
  const limits = { ...defaultLimits, ...options.limits }
  const stats = emptyStats()
  const house = buildHouse(options, limits, stats)
  let doors = new Map<string, Door>()
  let isClosed = false
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = turn.then(act)
    turn = done.catch(() => {})
    return done
  }

  async function open(listener: Listener): Promise<Door> {
    const port = options.portOffset === 'any' ? 0 : listener.port + options.portOffset
    if (port > 65_535)
      throw new Fault('conflict', `port ${port} does not exist: ${listener.port} is too high for the offset`)
    const bind = listener.transport === 'tcp' ? openTcp : openUdp
    return bind(options.bind, port, listener, house).catch((error: unknown) => {
      throw new Fault('conflict', bindFailure(error, options.bind, port, listener.transport), {
        cause: error,
      })
    })
  }

  async function swap(listeners: readonly Listener[]): Promise<void> {
    if (isClosed) throw new Fault('unavailable', 'the host is closed')
    const wanted = byPort(listeners)
    const missing = [...wanted].filter(([key]) => !doors.has(key))
    const results = await Promise.allSettled(missing.map(([, listener]) => open(listener)))
    const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as Fault] : [],
    )
    if (reasons.length > 0) {
      await Promise.all(opened.map((door) => door.close()))
      throw new Fault('conflict', reasons.map((reason) => reason.message).join('; '), { cause: reasons[0] })
    }
    const old = doors
    doors = new Map()
    missing.forEach(([key], i) => doors.set(key, opened[i]!))
    for (const [key, door] of old) {
      const listener = wanted.get(key)
      if (!listener) continue
      door.listener = listener
      doors.set(key, door)
      old.delete(key)
    }
    await Promise.all([...old.values()].map((door) => door.close()))
  }

  return {
    stats,
    apply: (listeners) => inTurn(() => swap(listeners)),
    listening: () =>
      [...doors.values()].map(({ listener: { instance, transport, port }, port: boundPort }) => ({
        instance,
        transport,
        port,
        boundPort,
      })),
    close: () =>
      inTurn(async () => {
        isClosed = true
        await Promise.all([...doors.values()].map((door) => door.close()))
        doors = new Map()
      }),
  }
}

function byPort(listeners: readonly Listener[]): Map<string, Listener> {
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
