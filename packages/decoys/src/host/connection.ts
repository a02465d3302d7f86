// One TCP connection: moves bytes between a socket and a session, and closes as real servers do.
import type { Socket } from 'node:net'
import type { Listener, Reply, Session, SessionContext } from '../session.ts'
import type { TlsFacts, TlsServer } from '../tls-server.ts'
import {
  DELAYED_RECHECK_MS,
  newConnectionState,
  nextAction,
  onIdleTimer,
  planSend,
  type ConnectionState,
} from './connection-state.ts'
import { normalizeAddress, type HostContext } from './host-context.ts'
import { sourceOf } from './source.ts'
import { handshakeTurn } from './tls-budget.ts'
import { openTlsChannel, type TlsChannel } from './tls-channel.ts'

interface Connection {
  readonly socket: Socket
  readonly session: Session
  readonly listener: Listener
  readonly context: ConnectionContext
  readonly host: HostContext
  readonly state: ConnectionState
  /** What stands between socket and session once the session asked for TLS. */
  tls: TlsChannel | undefined
  cancelDelay: (() => void) | undefined
  /** The idle timer; after our close, the linger timer. */
  cancelTimer: (() => void) | undefined
  cancelWake: (() => void) | undefined
  cancelHandshake: (() => void) | undefined
}

/** The session sees it read-only. */
type ConnectionContext = Omit<SessionContext, 'tls'> & { tls: TlsFacts | undefined }

/** Serves the socket until it is closed. Errors of the session end here: they are recorded and cost the connection. */
export function serveConnection(socket: Socket, listener: Listener, host: HostContext): void {
  const endpoints = host.sessionContext(
    { host: normalizeAddress(socket.remoteAddress), port: socket.remotePort ?? -1 },
    { host: normalizeAddress(socket.localAddress), port: listener.port },
  )
  const context: ConnectionContext = { ...endpoints, tls: undefined }
  const session = guarded(host, () => listener.startSession(context))
  if (!session) {
    socket.on('error', () => {})
    socket.resetAndDestroy()
    return
  }
  const connection: Connection = {
    socket,
    session,
    listener,
    context,
    host,
    state: newConnectionState(host.clock.now()),
    tls: undefined,
    cancelDelay: undefined,
    cancelTimer: undefined,
    cancelWake: undefined,
    cancelHandshake: undefined,
  }
  host.stats.openConnections += 1
  attachHandlers(connection)
  startIdleTimer(connection, session.limits.idleMs)
  send(connection, [session.open()])
}

function attachHandlers(connection: Connection): void {
  const { socket, session, listener, context, host, state } = connection
  socket.on('data', (bytes) => {
    if (state.isClosing) return
    state.lastActivityAt = host.clock.now()
    if (state.isSilent) {
      state.isSilent = false
      host.connections.spoke(socket)
    }
    if (connection.tls) connection.tls.receive(bytes)
    else send(connection, session.receive(bytes))
  })
  socket.on('end', () => {
    // Behind our close_notify there is still our FIN to send.
    if (state.isClosing && connection.tls && !socket.writableEnded) state.isPeerDone = true
    else if (state.isClosing) socket.destroy()
    else if (connection.tls) connection.tls.receiveEnd()
    else endOfInput(connection)
  })
  socket.on('drain', () => !connection.tls && unblock(connection))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    host.stats.openConnections -= 1
    host.unsent.release(socket)
    host.unread.release(socket)
    connection.cancelDelay?.()
    connection.cancelTimer?.()
    connection.cancelWake?.()
    connection.cancelHandshake?.()
    connection.tls?.destroy()
    state.isClosing = true
    guarded(host, () => host.raise(session.closed(), listener, context))
  })
}

function endOfInput(connection: Connection): void {
  connection.state.isPeerDone = true
  if (!connection.state.isClosing) proceed(connection)
}

/** Everything that waited is handed to the system. */
function unblock(connection: Connection): void {
  const { host, state } = connection
  state.isBlocked = false
  host.unsent.release(connection.socket)
  state.lastActivityAt = host.clock.now()
  if (!state.isClosing && !state.isDelayed) resume(connection)
}

/** Raises the events of all replies at once, then sends. */
function send(connection: Connection, replies: readonly Reply[]): void {
  const { listener, context, host } = connection
  countUnread(connection)
  const raised = replies.flatMap(({ events }) => events ?? [])
  if (raised.length > 0) guarded(host, () => host.raise(raised, listener, context))
  for (const { error, wakeMs } of replies) {
    if (error !== undefined) host.recordError(error)
    if (wakeMs !== undefined) setWakeTimer(connection, wakeMs)
  }
  const { writes, delayed, later, tls, close: how } = planSend(replies)
  for (const bytes of writes) write(connection, bytes)
  if (tls) startTls(connection, tls)
  else if (delayed) delay(connection, delayed)
  else if (later) waitFor(connection, later)
  else if (how) close(connection, how)
  else proceed(connection)
}

/** Less than this is not counted: every connection may keep as much. */
const FREE_UNREAD_BYTES = 4 * 1024

function countUnread({ socket, session, host }: Connection): void {
  const bytes = session.unreadBytes
  if (bytes <= FREE_UNREAD_BYTES) return host.unread.release(socket)
  for (const evicted of host.unread.hold(socket, bytes)) evicted.destroy()
}

/** A peer's reply that is delayed or computed goes first. */
function setWakeTimer(connection: Connection, ms: number): void {
  const { session, host, state } = connection
  connection.cancelWake?.()
  connection.cancelWake = host.clock.after(ms, () => {
    if (state.isClosing) return
    if (state.isDelayed) return setWakeTimer(connection, DELAYED_RECHECK_MS)
    const reply = session.wake()
    if (reply) send(connection, [reply])
  })
}

function write({ socket, host, state, tls }: Connection, bytes: string | Buffer): void {
  if (socket.destroyed || !socket.writable) return
  if (tls) tls.send(bytes)
  else socket.write(bytes)
  const unsentBytes = tls ? tls.unsentBytes : socket.writableLength
  if (unsentBytes > host.limits.highWaterBytes) {
    state.isBlocked = true
    socket.pause()
    for (const evicted of host.unsent.hold(socket, unsentBytes)) evicted.destroy()
  }
}

/** Reads no more until the certificate is there, and it is the source's turn. */
function startTls(connection: Connection, server: TlsServer): void {
  const { socket, session, context, host, state } = connection
  socket.pause()
  state.isDelayed = true
  const ready = Promise.all([server.certificate, handshakeTurn(sourceOf(context.src.host), host.clock)])
  void ready.then(
    ([certificate]) => {
      state.isDelayed = false
      if (state.isClosing) return
      state.lastActivityAt = host.clock.now()
      connection.tls = openTlsChannel(server, certificate, tlsEvents(connection))
      connection.cancelHandshake = host.clock.after(server.handshakeMs, () => close(connection, 'end'))
      const unread = session.takeUnread()
      if (unread.length > 0) connection.tls.receive(unread)
      if (state.isPeerDone) connection.tls.receiveEnd()
      socket.resume()
    },
    (error: unknown) => {
      host.recordError(error)
      close(connection, 'reset')
    },
  )
}

function tlsEvents(connection: Connection): Parameters<typeof openTlsChannel>[2] {
  const { socket, session, context, state } = connection
  return {
    transmit(records, done) {
      if (socket.destroyed || !socket.writable) return done()
      socket.write(records, () => done())
    },
    onSecured(facts) {
      context.tls = facts
      connection.cancelHandshake?.()
      const reply = session.secured()
      if (reply) send(connection, [reply])
    },
    onPlaintext(bytes) {
      if (!state.isClosing) send(connection, session.receive(bytes))
    },
    onEnd: () => endOfInput(connection),
    onDrain: () => unblock(connection),
    onFailure(failure) {
      connection.tls?.destroy()
      connection.tls = undefined
      if (state.isClosing) return
      const reply = failure && session.tlsFailed(failure)
      if (reply) send(connection, [reply])
      if (!reply?.close) close(connection, 'end')
    },
  }
}

function delay(connection: Connection, { delayMs = 0, send: bytes, close: how }: Reply): void {
  const { socket, host, state } = connection
  socket.pause()
  state.isDelayed = true
  connection.cancelDelay = host.clock.after(delayMs, () => {
    state.isDelayed = false
    state.lastActivityAt = host.clock.now()
    if (bytes) write(connection, bytes)
    if (how) close(connection, how)
    else if (!state.isBlocked) resume(connection)
  })
}

/** Reads no more until the reply is computed. */
function waitFor(connection: Connection, later: NonNullable<Reply['later']>): void {
  const { socket, host, state } = connection
  socket.pause()
  state.isDelayed = true
  void later().then((reply) => {
    state.isDelayed = false
    if (state.isClosing) return
    state.lastActivityAt = host.clock.now()
    send(connection, [reply])
  })
}

function resume(connection: Connection): void {
  const { session } = connection
  if (session.hasMore) send(connection, session.resume())
  else proceed(connection)
}

function proceed(connection: Connection): void {
  const { socket, session, state } = connection
  switch (nextAction(state, session.hasMore)) {
    case 'wait':
      return
    case 'resume':
      // In a later turn of the event loop, so that one peer's pipeline does not hold up the others.
      return void setImmediate(() => nextAction(state, true) === 'resume' && resume(connection))
    case 'close':
      return close(connection, 'end')
    case 'read':
      if (socket.isPaused()) socket.resume()
  }
}

function close(connection: Connection, how: NonNullable<Reply['close']>): void {
  const { socket, host, state, tls, context } = connection
  if (state.isClosing) return
  state.isClosing = true
  connection.cancelTimer?.()
  connection.cancelTimer = host.clock.after(host.limits.lingerMs, () => socket.destroy())
  // Within a handshake servers close without close_notify.
  if (tls && context.tls && how !== 'reset') tls.end(() => closeSocket(connection, how))
  else closeSocket(connection, how)
}

function closeSocket({ socket, state }: Connection, how: NonNullable<Reply['close']>): void {
  if (how === 'reset') {
    if (socket.writableLength === 0) socket.resetAndDestroy()
    else socket.write('', () => socket.resetAndDestroy())
  } else if (how === 'close') {
    socket.pause()
    socket.end(() => socket.destroy())
  } else {
    socket.end()
    // Unread bytes would turn the close into a reset, which discards the answer on its way (RFC 9112, 9.6): read them.
    if (state.isPeerDone) socket.once('finish', () => socket.destroy())
    else socket.resume()
  }
}

function startIdleTimer(connection: Connection, ms: number): void {
  const { socket, session, host, state } = connection
  const { idleMs } = session.limits
  connection.cancelTimer = host.clock.after(ms, () => {
    const action = onIdleTimer(state, idleMs, host.clock.now())
    if (typeof action === 'object') return startIdleTimer(connection, action.waitMs)
    if (action === 'closing') return
    if (action === 'reset') return void socket.resetAndDestroy()
    if (connection.tls && !connection.context.tls) return connection.tls.giveUp()
    const reply = session.idle()
    if (!reply) return close(connection, 'end')
    state.lastActivityAt = host.clock.now()
    if (!reply.close) {
      state.isSilent = true
      host.connections.fellSilent(socket)
      startIdleTimer(connection, idleMs)
    }
    send(connection, [reply])
  })
}

function guarded<T>(host: HostContext, act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    host.recordError(error)
    return undefined
  }
}
