// Who may be connected to a TCP listener. A source has so many connections and no more. When the listener is full, the oldest
// connection that has sent nothing for a second makes room, else one of those that have had no request under way for longest,
// of the busiest source: answered ones that are kept for further requests shut nobody out.
// Birds' links have a budget of their own.
import type { Server, Socket } from 'node:net'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import { DIRECT, type Arrivals } from './arrivals.ts'
import { oldestOfBusiest } from './make-room.ts'
import type { Ranges } from './ranges.ts'
import { sourceNetwork } from './source-network.ts'
import { OF_SOURCE as REQUESTS_OF_SOURCE } from './requests-of-sources.ts'
import { boundWaitingRequests } from './waiting-requests.ts'

export interface Admission {
  /** Whether so many requests are under way that further ones are answered with 503: the rest is left to newcomers. */
  isCrowded(): boolean
  /** The connection becomes a Bird's link and counts as such from now on; false when there are too many of them. */
  admitLink(socket: Socket): boolean
  /** The client has sent its only request: the connection makes no room for another. HTTP servers are seen to. */
  noteRequest(socket: Socket): void
  /** Connections that are open, without links. */
  count(): number
}

export interface AdmissionOptions {
  /** Connections of the listener, without links. */
  readonly bound: Limit
  /** The part of them that is left to newcomers, so that a Bird can come in and say that it is one. */
  readonly newcomers?: number
  /** Connections of one IPv4 address or IPv6 /64. */
  readonly perSource: Limit
  /** Proxies: their connections carry many sources, so they have no bound of their own. */
  readonly trusted: Ranges
  readonly clock: Clock
  readonly log: Logger
  /** The connection that carries the socket of a request, where that is another one. */
  readonly connectionOf?: (socket: Socket) => Socket
  /** Requests by HTTP are served though their connection is gone before their turn: a touch is one all the same. */
  readonly servesGone?: boolean
  /** Whose connections they are; by default those of their other ends. */
  readonly arrivals?: Arrivals
}

/** `ROOKERY_CONNECTIONS_PER_SOURCE` sets its number. */
export const CONNECTIONS_PER_SOURCE = limit('connections_per_source', 64)
/** Connections of one source that are served as they come; with more, they take turns with those of others. */
const MANY = 16
/** Links of Birds at one time. */
const LINKS = limit('link_connections', 20_000)
/** A connection that has sent nothing is closed after the third tick at the latest. */
const TICK_MS = 1_000
const SILENT_TICKS = 3
/** It makes room before others then. A newcomer's first bytes are still on their way: a flood must not displace it first. */
const MAKES_ROOM_TICKS = 2
/** Sources that have sent too many requests at once, and are not admitted for some seconds. */
const STAY_OUT = limit('sources_kept_out', 1_000)
const STAYS_OUT_MS = 10_000
const LOG_EVERY_MS = 60_000

/** Admits the connections of this server; call it before the server listens. */
export function admit(server: Server, options: AdmissionOptions): Admission {
  const { bound, newcomers = 0, perSource, trusted, clock, log, arrivals = DIRECT } = options
  const { connectionOf = (socket: Socket) => socket, servesGone = false } = options
  const open = openConnections()
  const links = new Set<Socket>()
  const silence = closeSilent(clock, arrivals)
  const logRefusal = refusalLog(clock, log)
  const staysOutUntil = boundedMap<string, number>(STAY_OUT)

  function refuse(socket: Socket, met: Limit, source: string): void {
    met.hit()
    logRefusal(source, met)
    socket.destroy()
  }

  /** False when every connection has a request under way. */
  function evictOne(): boolean {
    const socket = silence.oldestSince(MAKES_ROOM_TICKS) ?? open.oldestIdle()
    if (!socket) return false
    bound.hit()
    open.remove(socket)
    socket.destroy()
    return true
  }

  function isOut(source: string): boolean {
    const leftMs = (staysOutUntil.peek(source) ?? 0) - clock.now()
    // More than that is left where the clock was set back.
    if (leftMs > 0 && leftMs <= STAYS_OUT_MS) return true
    staysOutUntil.delete(source)
    return false
  }

  function admitConnection(socket: Socket): void {
    const address = arrivals.clientOf(socket)
    const source = sourceNetwork(address)
    if (isOut(source)) return refuse(socket, REQUESTS_OF_SOURCE, source)
    const isProxy = trusted.has(address)
    if (open.countOf(source) >= perSource.max && !isProxy) return refuse(socket, perSource, source)
    if (open.size() >= bound.max && !evictOne()) return refuse(socket, bound, source)
    open.add(socket, isProxy ? undefined : source)
    silence.watch(socket)
    const leave = (): void => {
      open.remove(socket)
      silence.forget(socket)
      links.delete(socket)
    }
    socket.once('close', leave)
    // It closes at the end of this turn of the event loop, in which its client may connect anew.
    socket.once('finish', () => process.nextTick(() => socket.destroyed && leave()))
  }

  boundWaitingRequests(server, {
    perSource,
    clock,
    connectionOf,
    servesGone,
    admit: admitConnection,
    hasMany: (source) => open.countOf(source) > MANY,
    sourceOf: open.sourceOf,
    onServed: open.noteRequest,
    onAnswered: open.noteAnswered,
    onFlood(source, met) {
      staysOutUntil.set(source, clock.now() + STAYS_OUT_MS)
      logRefusal(source, met)
      for (const socket of open.of(source)) socket.destroy()
    },
  })

  return {
    isCrowded: () => open.busy() > bound.max - newcomers,
    count: open.size,
    noteRequest: open.noteRequest,
    admitLink(socket) {
      open.remove(socket)
      if (links.size >= LINKS.max) LINKS.hit()
      else links.add(socket)
      return links.has(socket)
    },
  }
}

/** The connections by their source, and those without a request under way, in the order in which they came to have none. */
function openConnections() {
  /** Undefined for a proxy. */
  const sources = new Map<Socket, string | undefined>()
  const counts = new Map<string, number>()
  const idle = new Set<Socket>()
  const countOf = (source: string): number => counts.get(source) ?? 0

  /** Each connection of a proxy may be of another source. */
  function countOfSource(socket: Socket): number {
    const source = sources.get(socket)
    return source === undefined ? 1 : countOf(source)
  }

  return {
    countOf,
    size: () => sources.size,
    busy: () => sources.size - idle.size,
    sourceOf: (socket: Socket) => sources.get(socket),
    of: (source: string) => [...sources].flatMap(([socket, its]) => (its === source ? [socket] : [])),
    oldestIdle: () => oldestOfBusiest(idle, countOfSource),
    noteRequest: (socket: Socket) => void idle.delete(socket),
    /** None of its requests is under way any more. It may be a link by now, or gone. */
    noteAnswered: (socket: Socket) => void (sources.has(socket) && idle.add(socket)),
    add(socket: Socket, source: string | undefined): void {
      sources.set(socket, source)
      if (source !== undefined) counts.set(source, countOf(source) + 1)
      idle.add(socket)
    },
    remove(socket: Socket): void {
      if (!sources.has(socket)) return
      const source = sources.get(socket)
      sources.delete(socket)
      idle.delete(socket)
      if (source === undefined) return
      const left = countOf(source) - 1
      if (left > 0) counts.set(source, left)
      else counts.delete(source)
    },
  }
}

/** Closes connections that send no byte. HTTP takes the bytes from the handle: only the socket's count of them is seen. */
function closeSilent(clock: Clock, { bytesBefore }: Pick<Arrivals, 'bytesBefore'>) {
  /** The tick of their arrival, oldest first. */
  const silent = new Map<Socket, number>()
  let ticks = 0
  let isTicking = false

  function oldest(): Socket | undefined {
    for (const socket of silent.keys()) {
      if (socket.bytesRead <= bytesBefore(socket)) return socket
      silent.delete(socket)
    }
    return undefined
  }

  /** The oldest, if it has been silent for so many ticks. */
  function oldestSince(least: number): Socket | undefined {
    const socket = oldest()
    return socket && ticks - (silent.get(socket) ?? 0) >= least ? socket : undefined
  }

  function tick(): void {
    ticks++
    for (let next = oldestSince(SILENT_TICKS); next; next = oldestSince(SILENT_TICKS)) {
      silent.delete(next)
      next.destroy()
    }
    isTicking = silent.size > 0
    if (isTicking) clock.after(TICK_MS, tick)
  }

  return {
    oldestSince,
    forget: (socket: Socket) => void silent.delete(socket),
    watch(socket: Socket): void {
      silent.set(socket, ticks)
      if (isTicking) return
      isTicking = true
      clock.after(TICK_MS, tick)
    },
  }
}

/** One line a minute at most, for all sources. */
function refusalLog(clock: Clock, log: Logger): (source: string, met: Limit) => void {
  let refused = 0
  let loggedAt = -Infinity
  return (source, met) => {
    refused++
    const now = clock.now()
    if (Math.abs(now - loggedAt) < LOG_EVERY_MS) return
    loggedAt = now
    log.warn({ source, limit: met.name, max: met.max, refused }, 'connections refused: too many are open')
    refused = 0
  }
}
