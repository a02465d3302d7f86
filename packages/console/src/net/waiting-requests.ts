// HTTP clients may send requests before they have the answers to those before. Thousands fit into one piece and are parsed at
// once, so that a few connections of one client could keep everybody else waiting for seconds.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { limit, type Limit } from '@rookery/kernel/limit.ts'

/** Requests of one connection that wait for their answers; what comes behind them is not served, and the connection then ends. */
const OF_CONNECTION = limit('http_requests_waiting_per_connection', 100)
/** Requests of one source that wait, for each connection that it may have; with more its connections end, and it stays out. */
export const OF_SOURCE = limit('http_requests_waiting_per_source', 8)

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
}

/** Stands between the server and what serves its requests so far. */
export function boundWaitingRequests(server: Server, options: WaitingRequestsOptions): void {
  const { connectionOf, sourceOf, perSource, onServed, onFlood } = options
  const mostOfSource = OF_SOURCE.max * perSource.max
  const connections = new WeakMap<Socket, Backlog>()
  const sources = new Map<string, number>()

  /** Counts the request until it is answered or its connection is gone; false when it is not served. */
  function admits(connection: Socket, response: ServerResponse): boolean {
    if (connection.destroyed) return false
    const own = connections.get(connection) ?? { requests: 0, isCut: false }
    connections.set(connection, own)
    const source = sourceOf(connection)
    const ofSource = source === undefined ? 0 : (sources.get(source) ?? 0) + 1
    if (source !== undefined) sources.set(source, ofSource)
    if (own.requests >= OF_CONNECTION.max && !own.isCut) {
      own.isCut = true
      OF_CONNECTION.hit()
    }
    const isServed = !own.isCut && ofSource <= mostOfSource
    if (isServed) own.requests++
    response.once('close', () => {
      if (isServed && --own.requests === 0 && own.isCut) connection.destroySoon()
      if (source === undefined) return
      const left = (sources.get(source) ?? 0) - 1
      if (left > 0) sources.set(source, left)
      else sources.delete(source)
    })
    if (source !== undefined && ofSource > mostOfSource) {
      OF_SOURCE.hit()
      onFlood(source)
    }
    return isServed
  }

  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    const serving = server.listeners(event)
    if (serving.length === 0) continue
    server.removeAllListeners(event)
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      const connection = connectionOf(request.socket)
      if (!admits(connection, response)) return
      onServed(connection)
      for (const listener of serving) Reflect.apply(listener, server, [request, response])
    })
  }
}
