// Who may be connected to a TCP listener. A source has so many connections and no more. When the listener is full, the oldest
// connection that has sent nothing for a second makes room, else one of the oldest without a request, of the busiest source.
// Birds' links have a budget of their own.
import type { Server, Socket } from 'node:net'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import { DIRECT, type Arrivals } from './arrivals.ts'
import type { Ranges } from './ranges.ts'
import { sourceNetwork } from './source-network.ts'
import { OF_SOURCE as REQUESTS_OF_SOURCE } from './requests-of-sources.ts'
import { boundWaitingRequests } from './waiting-requests.ts'

export interface Admission {
  /** Whether only newcomers are admitted: the request of this connection is then answered with 503. */
  isCrowded(): boolean
  /** The connection becomes a Bird's link and counts as such from now on; false when there are too many of them. */
  admitLink(socket: Socket): boolean
  /** The client has sent its whole request: the connection makes no room for another. HTTP servers are seen to. */
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
/** So many of the oldest connections are compared before one of them is closed. */
const COMPARED = 64

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

  /** False when every connection has sent a request. */
  function evictOne(): boolean {
    const socket = silence.oldestSince(MAKES_ROOM_TICKS) ?? open.oldestWithoutRequest()
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
    if (open.countOf(source) >= perSource.max && !trusted.has(address))
      return refuse(socket, perSource, source)
    if (open.size() >= bound.max && !evictOne()) return refuse(socket, bound, source)
    open.add(socket, source)
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
    sourceOf: (socket) => (trusted.has(arrivals.clientOf(socket)) ? undefined : open.sourceOf(socket)),
    onServed: open.hasRequest,
    onFlood(source, met) {
      staysOutUntil.set(source, clock.now() + STAYS_OUT_MS)
      logRefusal(source, met)
      for (const socket of open.of(source)) socket.destroy()
    },
  })

  return {
    isCrowded: () => open.withRequest() > bound.max - newcomers,
    count: open.size,
    noteRequest: open.hasRequest,
    admitLink(socket) {
      open.remove(socket)
      if (links.size >= LINKS.max) LINKS.hit()
      else links.add(socket)
      return links.has(socket)
    },
  }
}

/** The connections by their source, and those that have not sent the head of a request yet, oldest first. */
function openConnections() {
  const sources = new Map<Socket, string>()
  const counts = new Map<string, number>()
  const withoutRequest = new Set<Socket>()
  return {
    size: () => sources.size,
    withRequest: () => sources.size - withoutRequest.size,
    countOf: (source: string) => counts.get(source) ?? 0,
    sourceOf: (socket: Socket) => sources.get(socket),
    of: (source: string) => [...sources].flatMap(([socket, its]) => (its === source ? [socket] : [])),
    /** Of the oldest ones that of the source with the most connections: who opens many makes room first. */
    oldestWithoutRequest(): Socket | undefined {
      let found: Socket | undefined
      let most = 0
      for (const socket of withoutRequest.values().take(COMPARED)) {
        const count = counts.get(sources.get(socket) ?? '') ?? 0
        if (count <= most) continue
        found = socket
        most = count
      }
      return found
    },
    hasRequest: (socket: Socket) => void withoutRequest.delete(socket),
    add(socket: Socket, source: string): void {
      sources.set(socket, source)
      counts.set(source, (counts.get(source) ?? 0) + 1)
      withoutRequest.add(socket)
    },
    remove(socket: Socket): void {
      const source = sources.get(socket)
      if (source === undefined) return
      sources.delete(socket)
      withoutRequest.delete(socket)
      const left = (counts.get(source) ?? 0) - 1
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
