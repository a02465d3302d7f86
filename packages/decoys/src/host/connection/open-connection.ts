// One TCP connection, as the files that serve it share it.
import type { Socket } from 'node:net'
import type { Listener, Session, SessionContext } from '../../session/session.ts'
import type { TlsFacts } from '../../session/tls-server.ts'
import type { ConnectionState } from './state.ts'
import type { HostContext } from '../host-context.ts'
import type { TlsChannel } from '../tls/channel.ts'

export interface OpenConnection {
  readonly socket: Socket
  readonly session: Session
  readonly listener: Listener
  readonly context: ConnectionContext
  readonly host: HostContext
  readonly state: ConnectionState
  /** Read from the socket, and not handed to the session yet. */
  readonly arrived: Buffer[]
  /** Some of the bytes that waited are handed to the system. */
  readonly onSent: () => void
  /** What stands between socket and session once the session asked for TLS. */
  tls: TlsChannel | undefined
  cancelDelay: (() => void) | undefined
  /** The idle timer; after our close, the linger timer. */
  cancelTimer: (() => void) | undefined
  cancelWake: (() => void) | undefined
  /** Of `wakeSoon`; the timer of `wakeMs` goes on next to it. */
  cancelWakeSoon: (() => void) | undefined
  cancelHandshake: (() => void) | undefined
  /** Of the timer at whose end it goes on. */
  cancelRest: (() => void) | undefined
}

/** The session sees it read-only. */
export type ConnectionContext = Omit<SessionContext, 'tls' | 'isGone'> & {
  tls: TlsFacts | undefined
  isGone: boolean
}
