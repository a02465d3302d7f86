// What the session of a web server remembers of a connection.
import { byteCollector, type ByteCollector } from '@rookery/kernel/byte-collector.ts'
import type { BodyProgress, Frame, RequestHead } from './request.ts'
import type { Awaited, Seat } from './web-server.ts'

/** Changed in place: a body may come in thousands of parts. */
export interface State {
  /** Requests that this connection may still make. */
  requestsLeft: number
  readonly openedAt: number
  /** The request whose body is being received. */
  head: RequestHead | undefined
  body: BodyProgress
  /** Of its body. */
  parts: ByteCollector
  bytes: number
  awaited: Awaited
  /** When what is awaited is given up, in milliseconds UTC. */
  dueAt: number
  /** Where a connection waits for a worker of its server. */
  readonly seat: Seat | undefined
  isHeld: boolean
  /** What came before there was one. */
  held: Frame | undefined
  /** Its handshake waits for one, too. */
  isBeforeTls: boolean
  /** The request whose body is being dropped is answered, and the connection closes behind it. */
  closesBehindBody: boolean
  /** The head is neither answered nor refused yet. */
  isPending: boolean
  /** A request was answered, or refused. */
  hasRequest: boolean
  /** The peer sent something to a port of TLS that was no handshake. */
  isTlsRefused: boolean
}

export const firstState = (requestsLeft: number, openedAt: number, seat: Seat | undefined): State => ({
  requestsLeft,
  openedAt,
  head: undefined,
  body: undefined,
  parts: byteCollector(),
  bytes: 0,
  awaited: { name: 'first-byte' },
  dueAt: Infinity,
  seat,
  isHeld: false,
  held: undefined,
  isBeforeTls: false,
  closesBehindBody: false,
  isPending: false,
  hasRequest: false,
  isTlsRefused: false,
})

export function startNext(state: State, awaited: Awaited): void {
  Object.assign(state, {
    head: undefined,
    body: undefined,
    parts: byteCollector(),
    bytes: 0,
    awaited,
    hasRequest: true,
  })
}
