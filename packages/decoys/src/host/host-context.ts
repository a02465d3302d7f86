// What the ports and connections of a host share.
import type { Socket } from 'node:net'
import { steadyTime } from '@rookery/kernel/steady-time.ts'
import type { Clock, Random } from '@rookery/kernel/world.ts'
import { youngGarbage } from '@rookery/kernel/young-garbage.ts'
import type { DecoyEvent, Listener, SessionContext } from '../session/session.ts'
import { byteBudget, type ByteBudget } from './sharing/byte-budget.ts'
import { openCosts, type Costs } from './sharing/costs.ts'
import { connectionTable, type ConnectionTable } from './sharing/connection-table.ts'
import { datagramTouches, type DatagramTouches } from './udp/datagram-touches.ts'
import { hostTouch, type Endpoint, type HostTouch } from './host-touch.ts'
import { REPORTED_SOURCES, type HostLimits, type HostStats } from './limits.ts'
import { reportedSources } from './silence/reported-sources.ts'
import { openShares, type Shares } from './sharing/shares.ts'
import { silenceReporter } from './silence/silence-reporter.ts'
import type { SilentConnection } from './silence/silent-sources.ts'
import { sourceOf } from './source.ts'
import { openTurns, type Turns } from './sharing/turns.ts'
import { waitingLine, type WaitingLine } from './sharing/waiting-line.ts'

/** By UDP, at a port of its own. */
export interface Conversation {
  /** Closes its port. Its last events are raised. */
  end(): void
}

export interface HostContext {
  readonly clock: Clock
  /** Milliseconds for measuring how long something lasts: they never go back. */
  readonly steadyNow: () => number
  readonly limits: HostLimits
  readonly stats: HostStats
  readonly connections: ConnectionTable<Socket>
  /** Accepted connections for which `connections` has no room yet. */
  readonly waiting: WaitingLine<Socket>
  /** Bytes that wait to be sent, and bytes of peers that wait for the rest of their frame. */
  readonly unsent: ByteBudget<Socket>
  readonly unread: ByteBudget<Socket>
  /** Counts bytes that were received or sent, whose buffers are garbage soon. */
  readonly passed: (bytes: number) => void
  /** Of decoys that have received something. */
  readonly shares: Shares
  /** Of lines that compute. */
  readonly costs: Costs
  /** Of connections that have more to answer. */
  readonly turns: Turns
  /** Counts a connection that was refused, or a connection or datagram that raised no event. */
  readonly silent: (connection: SilentConnection) => void
  /** Whether `silent` would only count a connection of this source, and report none now. */
  readonly isCounting: (source: string) => boolean
  readonly datagrams: DatagramTouches
  /** A peer that has answered there counts as one that raised an event. */
  readonly conversations: ConnectionTable<Conversation>
  /** Whether the decoy has raised an event for this source in the last minute. */
  readonly isReported: (instance: string, source: string) => boolean
  /** Bytes nobody can foresee. */
  readonly random: (length: number) => Buffer
  readonly sessionContext: (src: Endpoint, dst: Endpoint) => SessionContext
  /** Emits what `silent` has counted and not reported yet. */
  readonly flushSilent: () => void
  /** Emits a touch for each event at once, with its values bounded. */
  readonly raise: (events: readonly DecoyEvent[], listener: Listener, context: SessionContext) => void
  /** A connection to a decoy, for the sensors. */
  readonly connected: (src: Endpoint, dst: Endpoint) => void
  /** Counts an error of a session or of the system. */
  readonly recordError: (error: unknown) => void
}

/** Peers may send and take hundreds of megabytes a second: the memory of their buffers is to be free again before long. */
const COLLECT_EVERY_BYTES = 2 * 1024 * 1024

export interface HostDeps {
  readonly clock: Clock
  readonly random: Random
  /** Bytes of this Bird by label, always the same; sessions get it as it is. */
  readonly derive: (label: string, length: number) => Buffer
  /** Touches of one moment, in their order. */
  readonly emit: (touches: readonly HostTouch[]) => void
}

export function buildHostContext(
  deps: HostDeps & Pick<HostContext, 'connected'>,
  limits: HostLimits,
  stats: HostStats,
): HostContext {
  const { clock, derive, emit, connected } = deps
  const random = (length: number): Buffer => asBuffer(deps.random.bytes(length))
  const now = (): number => clock.now()
  const steady = steadyTime()
  const steadyNow = (): number => steady(clock.now())
  const waiting = waitingLine<Socket>({ perPort: limits.waitingPerPort, perHost: limits.waitingPerHost })
  // Behind what the leaving one has still to do.
  const connections = connectionTable<Socket>(limits, (port) => queueMicrotask(() => waiting.admitNext(port)))
  const costs = openCosts({ now: () => performance.now(), used: usedMs })
  const silence = silenceReporter(clock, emit)
  const reported = reportedSources(REPORTED_SOURCES)
  return {
    clock,
    steadyNow,
    limits,
    stats,
    connections,
    waiting,
    unsent: byteBudget(limits.unsentBytes),
    unread: byteBudget(limits.unreadBytes),
    passed: youngGarbage(COLLECT_EVERY_BYTES),
    shares: openShares({ nextTurn: setImmediate, now: () => performance.now() }),
    costs,
    turns: openTurns({ nextTurn: setImmediate, now: () => performance.now() }),
    silent: silence.add,
    isCounting: silence.isCounting,
    datagrams: datagramTouches(limits),
    conversations: connectionTable({ perPort: limits.conversations, perHost: limits.conversations }),
    isReported: (instance, source) => reported.has(instance, source, steadyNow()),
    connected,
    flushSilent: silence.flush,
    random,
    sessionContext: (src, dst) => ({ now, random, derive, src, dst, isTurnOver: costs.isTurnOver }),
    raise(events, { instance }, { src, dst }) {
      if (events.length === 0) return
      const at = clock.now()
      reported.add(instance, sourceOf(src.host), steady(at))
      emit(events.map((event) => hostTouch(instance, event, { src, dst, at })))
    },
    recordError(error) {
      stats.errors += 1
      stats.lastError = error instanceof Error ? (error.stack ?? error.message) : String(error)
    },
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The same memory: a copy would be part of Node's pool, and sessions keep it. */
const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length)

/** An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) as IPv4; without a zone (`%eth0`). Empty when there is none. */
export function normalizeAddress(address: string | undefined): string {
  if (!address) return ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return mapped?.[1] ?? address.replace(/%.*$/, '')
}
