// HTTP clients may send requests before they have the answers to those before. Thousands fit into one piece, which Node.js
// parses at once, so that a few connections of one client could keep everybody else waiting for seconds.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { limit, type Limit } from '@rookery/kernel/limit.ts'

/** Requests of one connection that wait for their answers; what comes behind them is not read, and the connection then ends. */
const OF_CONNECTION = limit('http_requests_waiting_per_connection', 100)
/** Requests of one source that wait, for each connection that it may have; with more its connections end, and it stays out. */
export const OF_SOURCE = limit('http_requests_waiting_per_source', 2)
/** Requests of one source that are served as they come; those beyond, and those behind others of their connection, take turns. */
const AT_ONCE = 16
/** For so long they are served in a turn of the event loop. */
const SLICE_MS = 1
/** What the parser takes for an upgrade: it leaves the rest of its piece to others. */
const PARSE_NO_MORE = 2

export interface WaitingRequestsOptions {
  /** The connection that carries the socket of a request. */
  readonly connectionOf: (socket: Socket) => Socket
  /** Undefined for a connection that carries many sources. */
  readonly sourceOf: (connection: Socket) => string | undefined
  /** Connections of one source. */
  readonly perSource: Limit
  /** A request of this connection is served. */
  readonly onServed: (connection: Socket) => void
  readonly onFlood: (source: string) => void
}

interface Backlog {
  requests: number
  /** More came than are served. */
  isCut: boolean
  /** Those that its source counts. */
  ofSource: number
}

/** Stands between the server and what serves its requests so far. */
export function boundWaitingRequests(server: Server, options: WaitingRequestsOptions): void {
  const { connectionOf, sourceOf, perSource, onServed, onFlood } = options
  const mostOfSource = OF_SOURCE.max * perSource.max
  const connections = new WeakMap<Socket, Backlog>()
  const sources = new Map<string, number>()
  const serveLater = turns()
  // Who has sent everything may close that direction, and still gets the answers, as from Apache. Node.js has no option for it.
  Object.assign(server, { httpAllowHalfOpen: true })

  function forget(own: Backlog, source: string, requests: number): void {
    own.ofSource -= requests
    const left = (sources.get(source) ?? 0) - requests
    if (left > 0) sources.set(source, left)
    else sources.delete(source)
  }

  function backlogOf(connection: Socket, source: string | undefined): Backlog {
    const known = connections.get(connection)
    if (known) return known
    const own = { requests: 0, isCut: false, ofSource: 0 }
    connections.set(connection, own)
    // Node.js does not close the responses to what came before an upgrade.
    if (source !== undefined) connection.once('close', () => forget(own, source, own.ofSource))
    return own
  }

  /** Counts the request until it is answered or its connection is gone. */
  function admits(connection: Socket, response: ServerResponse): 'not' | 'at once' | 'in turn' {
    if (connection.destroyed) return 'not'
    const source = sourceOf(connection)
    const own = backlogOf(connection, source)
    const ofSource = source === undefined ? 0 : (sources.get(source) ?? 0) + 1
    if (source !== undefined) {
      sources.set(source, ofSource)
      own.ofSource++
    }
    if (own.requests >= OF_CONNECTION.max && !own.isCut) {
      own.isCut = true
      OF_CONNECTION.hit()
    }
    const isServed = !own.isCut && ofSource <= mostOfSource
    if (isServed) own.requests++
    response.once('close', () => {
      if (isServed && --own.requests === 0 && own.isCut) connection.destroySoon()
      if (source !== undefined && own.ofSource > 0) forget(own, source, 1)
    })
    if (source !== undefined && ofSource > mostOfSource) {
      OF_SOURCE.hit()
      onFlood(source)
    }
    if (!isServed) return 'not'
    return own.requests === 1 && ofSource <= AT_ONCE ? 'at once' : 'in turn'
  }

  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    const serving = server.listeners(event)
    if (serving.length === 0) continue
    server.removeAllListeners(event)
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      const connection = connectionOf(request.socket)
      const served = admits(connection, response)
      if (served === 'not') return ignoreRest(request.socket)
      onServed(connection)
      const serve = (): void => {
        for (const listener of serving) Reflect.apply(listener, server, [request, response])
      }
      if (served === 'at once') serve()
      else
        serveLater(() => {
          if (!connection.destroyed) serve()
        })
    })
  }
}

/** Calls in turn what is added, some in each turn of the event loop: others are served in between. */
function turns(): (serve: () => void) => void {
  const waiting: (() => void)[] = []
  let isDue = false
  function callSome(): void {
    const untilMs = performance.now() + SLICE_MS
    try {
      do waiting.shift()?.()
      while (waiting.length > 0 && performance.now() < untilMs)
    } finally {
      isDue = waiting.length > 0
      if (isDue) setImmediate(callSome)
    }
  }
  return (serve) => {
    waiting.push(serve)
    if (!isDue) setImmediate(callSome)
    isDue = true
  }
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
