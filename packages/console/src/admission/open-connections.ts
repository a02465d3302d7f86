// The connections of a listener by their source, what each is doing, and which of a source leaves for a newcomer.
import type { Socket } from 'node:net'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import { bySource } from './by-source.ts'
import { oldestOfBusiest } from './make-room.ts'

export interface OpenConnectionsDeps {
  readonly perSource: Limit
  /** Goes on by one every 250 ms, whatever becomes of the machine's clock. */
  readonly ticks: () => number
  /** Bytes that came in front of the client's own. */
  readonly bytesBefore: (socket: Socket) => number
  /** Its client still owes a part of its request, or does not take its answer. */
  readonly isUnfinished: (socket: Socket) => boolean
}

interface Connection {
  /** Undefined for a proxy: it carries many. */
  readonly source: string | undefined
  /** The tick since which it is with a request under way, or without one. */
  since: number
  /** What its client had sent by then. */
  bytes: number
  hasAsked: boolean
  hasSession: boolean
}

/** A newcomer's first bytes are still on their way: a flood must not displace it first. */
export const SILENT_TICKS = 4
/** Heads and most bodies come in a packet or two. */
const SLOW_TICKS = 8
/** A connection that is kept without need, where its source needs its place soon. */
const IDLE_TICKS = 20
const NEAR_BOUND = 0.75
/** Connections of one source that carry sessions of people; beyond them they count like all others. */
const OF_SESSIONS = limit('session_connections_per_source', 1_000)

export function openConnections({ perSource, ticks, bytesBefore, isUnfinished }: OpenConnectionsDeps) {
  const all = new Map<Socket, Connection>()
  const authenticated = new WeakSet<Socket>()
  const sources = bySource<Socket>()
  /** Those that carry a session: a team behind one address must not keep itself out. */
  const sessions = bySource<Socket>()
  /** Without a request under way, in the order in which they came to have none. */
  const idle = new Set<Socket>()
  const { countOf } = sources

  /** Each connection of a proxy may be of another source. */
  function countOfSource(socket: Socket): number {
    const source = all.get(socket)?.source
    return source === undefined ? 1 : countOf(source) + sessions.countOf(source)
  }

  const isSilent = (socket: Socket, { bytes }: Connection): boolean => socket.bytesRead <= bytes

  /** How soon it leaves, 0 first; undefined for one at work, which stays. */
  function rankOf(socket: Socket, connection: Connection): number | undefined {
    const age = ticks() - connection.since
    const isIdle = idle.has(socket)
    if (isIdle && isSilent(socket, connection) && (connection.hasAsked || age >= SILENT_TICKS)) return 0
    if (age <= SLOW_TICKS) return undefined
    if (isIdle) return 1
    return !authenticated.has(socket) && isUnfinished(socket) ? 2 : undefined
  }

  /** The first to leave of this source; undefined when all are at work. */
  const leaverOf = (source: string): Socket | undefined =>
    firstToLeave(sources.of(source), (socket) => {
      const connection = all.get(socket)
      const rank = connection && rankOf(socket, connection)
      return connection && rank !== undefined ? { rank, since: connection.since } : undefined
    })

  /** Answers its source. */
  function remove(socket: Socket): string | undefined {
    const source = all.get(socket)?.source
    all.delete(socket)
    idle.delete(socket)
    if (source !== undefined) for (const group of [sources, sessions]) group.remove(source, socket)
    return source
  }

  function change(socket: Socket, isIdle: boolean): void {
    const connection = all.get(socket)
    // It may be a link by now, or gone.
    if (!connection) return
    Object.assign(connection, { since: ticks(), bytes: socket.bytesRead, hasAsked: true })
    if (isIdle) idle.add(socket)
    else idle.delete(socket)
  }

  return {
    countOf,
    size: () => all.size,
    busy: () => all.size - idle.size,
    sourceOf: (socket: Socket) => all.get(socket)?.source,
    of: (source: string): readonly Socket[] => [...sources.of(source), ...sessions.of(source)],
    oldestIdle: () => oldestOfBusiest(idle, countOfSource),
    noteRequest: (socket: Socket) => change(socket, false),
    /** None of its requests is under way any more. */
    noteAnswered: (socket: Socket) => change(socket, true),
    noteAuthenticated: (socket: Socket) => authenticated.add(socket),
    noteSession: (socket: Socket) => moveToSessions(socket, all.get(socket), sources, sessions),
    /** Whether this source may have one more; if it must, one of its own leaves. */
    makeRoom(source: string): boolean {
      if (countOf(source) < perSource.max) return true
      const leaver = leaverOf(source)
      if (!leaver) return false
      perSource.hit()
      // The last answer of an idle one may be on its way.
      if (idle.has(leaver)) leaver.destroySoon()
      else leaver.destroy()
      remove(leaver)
      return true
    },
    /** Kept for five seconds without a request, by sources that have most of the connections that they may have. */
    unneeded: (): Socket[] =>
      [...sources.sources()]
        .filter((source) => countOf(source) >= NEAR_BOUND * perSource.max)
        .flatMap((source) => [...sources.of(source)])
        .filter((socket) => {
          const connection = all.get(socket)
          if (!connection?.hasAsked || !idle.has(socket)) return false
          return isSilent(socket, connection) && ticks() - connection.since >= IDLE_TICKS
        }),
    add(socket: Socket, source: string | undefined): void {
      const bytes = bytesBefore(socket)
      all.set(socket, { source, bytes, since: ticks(), hasAsked: false, hasSession: false })
      idle.add(socket)
      if (source !== undefined) sources.add(source, socket)
    },
    remove,
  }
}

type Sockets = ReturnType<typeof bySource<Socket>>

/** Answers its source; undefined for one of a proxy, one that is known, and while that source has as many as it may. */
function moveToSessions(
  socket: Socket,
  connection: Connection | undefined,
  sources: Sockets,
  sessions: Sockets,
): string | undefined {
  const source = connection?.source
  if (!connection || source === undefined || connection.hasSession) return undefined
  if (sessions.countOf(source) >= OF_SESSIONS.max) return void OF_SESSIONS.hit()
  connection.hasSession = true
  sources.remove(source, socket)
  sessions.add(source, socket)
  return source
}

/** The one of the lowest rank, of these the oldest. */
function firstToLeave(
  sockets: Iterable<Socket>,
  orderOf: (socket: Socket) => { readonly rank: number; readonly since: number } | undefined,
): Socket | undefined {
  let found: { readonly socket: Socket; readonly rank: number; readonly since: number } | undefined
  for (const socket of sockets) {
    const order = orderOf(socket)
    if (!order) continue
    if (!found || order.rank < found.rank || (order.rank === found.rank && order.since < found.since))
      found = { socket, ...order }
  }
  return found?.socket
}
