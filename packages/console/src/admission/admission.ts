// Who may be connected to a TCP listener. A source has so many connections and no more: an office behind one address is many
// people, so that one of its own leaves for a newcomer, as long as one of them is not at work. When the listener is full, the
// oldest connection that has sent nothing for a second makes room, else one of those that have had no request under way for
// longest, of the busiest source: answered ones that are kept for further requests shut nobody out.
// Birds' links have a budget of their own.
import type { Server, Socket } from 'node:net'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import { DIRECT, type ConnectionClients } from './connection-clients.ts'
import { openConnections, SILENT_TICKS } from './open-connections.ts'
import type { Ranges } from '../addresses/ranges.ts'
import { sourceNetwork } from '../addresses/source-network.ts'
import { OF_SOURCE as REQUESTS_OF_SOURCE } from './requests-of-sources.ts'
import { waitingRoom, type Newcomer } from './waiting-room.ts'
import { boundWaitingRequests } from './waiting-requests.ts'

export interface Admission {
  /** Whether so many requests are under way that further ones are answered with 503: the rest is left to newcomers. */
  isCrowded(): boolean
  /** The connection becomes a Bird's link and counts as such from now on; false when there are too many of them. */
  admitLink(socket: Socket): boolean
  /** The request under way carries a valid key or session: it makes no room for newcomers, however long it takes. */
  noteAuthenticated(socket: Socket): void
  /** It carries a session of a person: it counts no longer among those that its source may have. */
  noteSession(socket: Socket): void
  /** The client has sent a request: the connection makes no room for another until it is answered. HTTP servers are seen to. */
  noteRequest(socket: Socket): void
  /** All that the client has sent is answered. */
  noteAnswered(socket: Socket): void
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
  readonly clients?: ConnectionClients
  /** A connection of this address was refused: what it would have touched is not known. */
  readonly onRefused?: (address: string) => void
}

/** `ROOKERY_CONNECTIONS_PER_SOURCE` sets its number. */
export const CONNECTIONS_PER_SOURCE = limit('connections_per_source', 64)
/** Connections of one source that are served as they come; with more, they take turns with those of others. */
const MANY = 16
/** Links of Birds at one time. */
const LINKS = limit('link_connections', 20_000)
const TICK_MS = 250
/** A connection that has sent nothing is closed after three seconds at the latest. */
const CLOSED_TICKS = 12
/** Sources that have sent too many requests at once, and are not admitted for some seconds. */
const STAY_OUT = limit('sources_kept_out', 1_000)
const STAYS_OUT_MS = 10_000
const LOG_EVERY_MS = 60_000

/** Admits the connections of this server; call it before the server listens. */
export function admit(server: Server, options: AdmissionOptions): Admission {
  const { bound, newcomers = 0, perSource, trusted, clock, log, clients = DIRECT } = options
  const { connectionOf = (socket: Socket) => socket, servesGone = false, onRefused } = options
  const ticker = openTicker(clock, tick)
  const open = openConnections({
    perSource,
    ticks: ticker.ticks,
    bytesBefore: clients.bytesBefore,
    isUnfinished: (socket) => requests.isUnfinished(socket),
  })
  const waiting = waitingRoom({
    ticks: ticker.ticks,
    makeRoom: open.makeRoom,
    enter: (newcomer) => enter(newcomer, newcomer.source),
    refuse: (newcomer) => refuse(newcomer, perSource),
  })
  const links = new Set<Socket>()
  const silence = silentConnections(ticker.ticks, clients.bytesBefore)
  const logRefusal = refusalLog(clock, log)
  const refuse = refuser(logRefusal, onRefused)
  const keptOut = sourcesKeptOut(clock)

  function arrive(socket: Socket, setUp: () => void): void {
    const address = clients.clientOf(socket)
    const newcomer = { socket, address, source: sourceNetwork(address), setUp }
    ticker.start()
    if (keptOut.has(newcomer.source)) refuse(newcomer, REQUESTS_OF_SOURCE)
    else if (trusted.has(address)) enter(newcomer, undefined)
    else waiting.arrive(newcomer)
  }

  function enter(newcomer: Newcomer, source: string | undefined): void {
    const { socket } = newcomer
    if (open.size() >= bound.max && !evictOne(bound, open, silence)) return refuse(newcomer, bound)
    open.add(socket, source)
    silence.watch(socket)
    const leave = (): void => {
      remove(socket)
      silence.forget(socket)
      links.delete(socket)
    }
    socket.once('close', leave)
    // It closes at the end of this turn of the event loop, in which its client may connect anew.
    socket.once('finish', () => process.nextTick(() => socket.destroyed && leave()))
    newcomer.setUp()
  }

  const remove = (socket: Socket): void => waiting.letIn(open.remove(socket))

  function noteAnswered(socket: Socket): void {
    open.noteAnswered(socket)
    waiting.letIn(open.sourceOf(socket))
  }

  /** Whether there is something to wait for. */
  function tick(): boolean {
    silence.close(CLOSED_TICKS)
    for (const socket of open.unneeded()) socket.destroySoon()
    waiting.tick()
    return open.size() + waiting.size() > 0
  }

  const requests = boundWaitingRequests(server, {
    perSource,
    clock,
    connectionOf,
    servesGone,
    admit: arrive,
    hasMany: (source) => open.countOf(source) > MANY,
    sourceOf: open.sourceOf,
    onServed: open.noteRequest,
    onAnswered: noteAnswered,
    onFlood(source, met) {
      keptOut.add(source)
      logRefusal(source, met)
      for (const socket of open.of(source)) socket.destroy()
    },
  })

  return {
    isCrowded: () => open.busy() > bound.max - newcomers,
    count: open.size,
    noteRequest: open.noteRequest,
    noteAnswered,
    noteAuthenticated: (socket) => open.noteAuthenticated(connectionOf(socket)),
    noteSession(socket) {
      const source = open.noteSession(connectionOf(socket))
      if (source === undefined) return
      requests.noteSession(connectionOf(socket))
      waiting.letIn(source)
    },
    admitLink(upgraded) {
      const socket = connectionOf(upgraded)
      remove(socket)
      if (links.size >= LINKS.max) LINKS.hit()
      else links.add(socket)
      return links.has(socket)
    },
  }
}

/** False when every connection has a request under way. */
function evictOne(
  bound: Limit,
  open: Pick<ReturnType<typeof openConnections>, 'oldestIdle' | 'remove'>,
  silence: Pick<ReturnType<typeof silentConnections>, 'oldestSince'>,
): boolean {
  const socket = silence.oldestSince(SILENT_TICKS) ?? open.oldestIdle()
  if (!socket) return false
  bound.hit()
  open.remove(socket)
  socket.destroy()
  return true
}

const refuser =
  (logRefusal: (source: string, met: Limit) => void, onRefused: AdmissionOptions['onRefused']) =>
  ({ socket, address, source }: Newcomer, met: Limit): void => {
    met.hit()
    logRefusal(source, met)
    socket.destroy()
    onRefused?.(address)
  }

function sourcesKeptOut(clock: Clock) {
  const until = boundedMap<string, number>(STAY_OUT)
  return {
    add: (source: string) => until.set(source, clock.now() + STAYS_OUT_MS),
    has(source: string): boolean {
      const leftMs = (until.peek(source) ?? 0) - clock.now()
      // More than that is left where the clock was set back.
      if (leftMs > 0 && leftMs <= STAYS_OUT_MS) return true
      until.delete(source)
      return false
    },
  }
}

/** Ticks as long as `tick` answers that there is something to wait for. */
function openTicker(clock: Clock, tick: () => boolean) {
  let ticks = 0
  let isTicking = false

  function next(): void {
    ticks++
    isTicking = tick()
    if (isTicking) clock.after(TICK_MS, next)
  }

  return {
    ticks: () => ticks,
    start(): void {
      if (isTicking) return
      isTicking = true
      clock.after(TICK_MS, next)
    },
  }
}

/** Those that have sent no byte. HTTP takes the bytes from the handle: only the socket's count of them is seen. */
function silentConnections(ticks: () => number, bytesBefore: ConnectionClients['bytesBefore']) {
  /** The tick of their arrival, oldest first. */
  const silent = new Map<Socket, number>()

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
    return socket && ticks() - (silent.get(socket) ?? 0) >= least ? socket : undefined
  }

  return {
    forget: (socket: Socket) => silent.delete(socket),
    watch: (socket: Socket) => silent.set(socket, ticks()),
    oldestSince,
    /** Closes those that have been silent for so many ticks. */
    close(least: number): void {
      for (let next = oldestSince(least); next; next = oldestSince(least)) {
        silent.delete(next)
        next.destroy()
      }
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
