// HTTP clients may send requests before they have the answers to those before. Thousands fit into one piece, which Node.js
// parses at once, so that a few connections of one client could keep everybody else waiting for seconds.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { requestsOfSources } from './requests-of-sources.ts'
import { turns } from './turns.ts'

/** Requests of one connection that wait for their answers; what comes behind them is not read, and the connection then ends. */
const OF_CONNECTION = limit('http_requests_waiting_per_connection', 100)
/** Requests that wait their turn; with more, one whose connection is gone is served no more. */
const OF_GONE = limit('http_requests_waiting_with_gone_connections', 1_000)
/** Requests of one source that are served as they come; those beyond, and those behind others of their connection, take turns. */
const AT_ONCE = 16
/** What the parser takes for an upgrade: it leaves the rest of its piece to others. */
const PARSE_NO_MORE = 2
/** How the codes of what is no HTTP begin. */
const PARSE_ERROR = 'HPE_'

export interface WaitingRequestsOptions {
  /** The connection that carries the socket of a request. */
  readonly connectionOf: (socket: Socket) => Socket
  /** Undefined for a connection that carries many sources. */
  readonly sourceOf: (connection: Socket) => string | undefined
  /** Admits a connection that has come, at once or later, by setting it up; or destroys it. */
  readonly admit: (connection: Socket, setUp: () => void) => void
  /** Whether this source has many connections: its requests take turns with those of others, and its connections do. */
  readonly hasMany: (source: string) => boolean
  /** Connections of one source. */
  readonly perSource: Limit
  readonly clock: Clock
  /** Whether a request is served whose connection is gone before its turn. */
  readonly servesGone: boolean
  /** A request of this connection is served. */
  readonly onServed: (connection: Socket) => void
  /** All requests of this connection that are served have their answers, or it is gone. */
  readonly onAnswered: (connection: Socket) => void
  /** The source has met this limit. */
  readonly onFlood: (source: string, met: Limit) => void
}

export interface WaitingRequests {
  /** Whether a client that has requests under way still owes a part of the last one, or does not take its answers. */
  isUnfinished(connection: Socket): boolean
  /** Its requests count no longer among those of its source: streams of a team behind one address wait for hours. */
  noteSession(connection: Socket): void
}

interface Backlog {
  /** Undefined for a connection that carries many, or a session. */
  source: string | undefined
  requests: number
  /** More came than are served. */
  isCut: boolean
  /** The last one that came, until all are answered. */
  last: IncomingMessage | undefined
  /** What came then was no HTTP: how many requests cannot be answered for it, and what to do once the others are. */
  refusal?: { readonly unfinished: number; readonly refuse: () => void }
  /** Of each request that is counted: takes it out. */
  readonly counted: Set<() => void>
}

interface Admitted {
  readonly turn: 'not' | 'at once' | 'in turn'
  /** It waits its turn no longer. */
  readonly noteServed: () => void
}

const NOT_ADMITTED: Admitted = { turn: 'not', noteServed: () => undefined }
const SERVED_AT_ONCE: Admitted = { turn: 'at once', noteServed: () => undefined }

/** Stands between the server and what serves its requests so far. */
export function boundWaitingRequests(server: Server, options: WaitingRequestsOptions): WaitingRequests {
  const { connectionOf, sourceOf, hasMany, perSource, clock, servesGone, onServed, onAnswered, onFlood } =
    options
  const connections = new WeakMap<Socket, Backlog>()
  const sources = requestsOfSources(perSource, clock)
  const line = turns()
  // Who has sent everything may close that direction, and still gets the answers, as from Apache. Node.js has no option for it.
  Object.assign(server, { httpAllowHalfOpen: true })
  setUpInTurn(server, options, line)

  function backlogOf(connection: Socket): Backlog {
    const known = connections.get(connection)
    if (known) return known
    const source = sourceOf(connection)
    const own: Backlog = { source, requests: 0, isCut: false, counted: new Set(), last: undefined }
    connections.set(connection, own)
    // Node.js does not close the responses to what came before an upgrade.
    connection.once('close', () => own.counted.forEach((leave) => leave()))
    return own
  }

  /** Counts the request until it has been served, and is answered or its connection is gone. */
  function admitted(connection: Socket, request: IncomingMessage, response: ServerResponse): Admitted {
    if (connection.destroyed) return NOT_ADMITTED
    const { socket } = request
    const own = backlogOf(connection)
    own.last = request
    const { source } = own
    const ofSource = source === undefined ? 0 : sources.add(source)
    if (own.requests >= OF_CONNECTION.max && !own.isCut) {
      own.isCut = true
      OF_CONNECTION.hit()
    }
    const isServed = !own.isCut && ofSource <= sources.most
    if (isServed) own.requests++
    const isOfMany = source !== undefined && hasMany(source)
    let isWaiting = isServed && (own.requests > 1 || ofSource > AT_ONCE || isOfMany)
    const leave = (): void => {
      if (isWaiting || !own.counted.delete(leave)) return
      if (isServed) {
        own.requests--
        if (own.requests === 0) {
          own.last = undefined
          onAnswered(connection)
        }
        endAnswered(own, socket)
      }
      if (own.source !== undefined) sources.remove(own.source)
    }
    own.counted.add(leave)
    response.once('close', leave)
    const met = source === undefined ? undefined : sources.limitMet(source, ofSource, own.requests)
    if (source !== undefined && met) {
      met.hit()
      onFlood(source, met)
    }
    if (!isServed) return NOT_ADMITTED
    if (!isWaiting) return SERVED_AT_ONCE
    function noteServed(): void {
      isWaiting = false
      if (connection.destroyed) leave()
    }
    return { turn: 'in turn', noteServed }
  }

  refuseInTurn(server, (socket) => connections.get(connectionOf(socket)))

  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    const serving = server.listeners(event)
    if (serving.length === 0) continue
    server.removeAllListeners(event)
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      for (const listener of serving) Reflect.apply(listener, server, [request, response])
    }
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      const connection = connectionOf(request.socket)
      const { turn, noteServed } = admitted(connection, request, response)
      if (turn === 'not') return ignoreRest(request.socket)
      onServed(connection)
      if (turn === 'at once') return serve(request, response)
      line.add(() => {
        try {
          if (!connection.destroyed) serve(request, response)
          else if (servesGone && line.length() < OF_GONE.max) serve(request, response)
          else if (servesGone) OF_GONE.hit()
        } finally {
          noteServed()
        }
      })
    })
  }
  return {
    isUnfinished: (connection) => isUnfinished(connections.get(connection)?.last),
    noteSession: (connection) => uncount(connections.get(connection), sources.remove),
  }
}

function endAnswered(own: Backlog, socket: Socket): void {
  const { requests, refusal } = own
  if (refusal && requests === refusal.unfinished) refusal.refuse()
  // Nothing comes behind the last answer: of the rest nothing is read, or the client has closed its side.
  else if (requests === 0 && (own.isCut || socket.readableEnded)) socket.destroySoon()
}

/** Its requests count no longer among those of its source. */
function uncount(own: Backlog | undefined, remove: (source: string) => void): void {
  if (own?.source === undefined) return
  for (let left = own.counted.size; left > 0; left--) remove(own.source)
  own.source = undefined
}

const isUnfinished = (last: IncomingMessage | undefined): boolean =>
  last !== undefined && (!last.complete || last.socket.writableLength > 0)

/**
 * Setting a connection up takes most of the time that it costs, and those that wait behind it are not seen before they are
 * accepted. Of a source with many it waits its turn; what it sends meanwhile stays in its buffer.
 */
function setUpInTurn(
  server: Server,
  { admit, sourceOf, hasMany }: Pick<WaitingRequestsOptions, 'admit' | 'sourceOf' | 'hasMany'>,
  line: ReturnType<typeof turns>,
): void {
  const settingUp = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (connection) => {
    line.noteNewcomer()
    const setUp = (): void => {
      if (connection.destroyed) return
      for (const listener of settingUp) Reflect.apply(listener, server, [connection])
    }
    admit(connection, () => {
      const source = sourceOf(connection)
      if (source === undefined || !hasMany(source)) return setUp()
      // Nobody else listens yet for what goes wrong with it; it closes by itself.
      connection.on('error', () => undefined)
      line.add(setUp)
    })
  })
}

/** A server answers in the order of what comes: what is no request is refused behind the requests before it. */
function refuseInTurn(server: Server, backlogOf: (socket: Socket) => Backlog | undefined): void {
  const refusing = server.listeners('clientError')
  if (refusing.length === 0) return
  server.removeAllListeners('clientError')
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const refuse = (): void => {
      for (const listener of refusing) Reflect.apply(listener, server, [error, socket])
    }
    const own = backlogOf(socket)
    // One whose own body is no HTTP would wait for the rest of it.
    const unfinished = Number(own?.last?.complete === false)
    if (!own || own.requests <= unfinished || error.code?.startsWith(PARSE_ERROR) !== true) return refuse()
    own.refusal = { unfinished, refuse }
    ignoreRest(socket)
  })
}

/** The parser of Node.js calls it with the head of each request. */
interface Parser {
  onIncoming: (request: { upgrade: boolean }) => number
}

/** Neither the rest of the piece is parsed nor what comes later: each request would cost its objects, and get no answer. */
function ignoreRest(socket: Socket & { readonly parser?: Parser | null }): void {
  if (!socket.parser) return
  socket.parser.onIncoming = (request) => {
    request.upgrade = false
    return PARSE_NO_MORE
  }
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
}
