// One TCP connection: hands bytes of a socket to its session, and the session's replies to the socket, in their order.
import type { Socket } from 'node:net'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Listener, Reply, SessionContext } from '../../session/session.ts'
import { close, countUnsent, write } from './output.ts'
import { newConnectionState, nextAction, onIdleTimer, planSend, recheckMs } from './state.ts'
import { startTls, stopTls } from './tls.ts'
import type { HostContext } from '../host-context.ts'
import type { ConnectionContext, OpenConnection } from './open-connection.ts'
import { sourceOf } from '../source.ts'
import type { TlsChannel } from '../tls/channel.ts'

/** Serves the socket until it is closed. Errors of the session end here: they are recorded and cost the connection. */
export function serveConnection(
  socket: Socket,
  { src, dst }: Pick<SessionContext, 'src' | 'dst'>,
  listener: Listener,
  host: HostContext,
): void {
  const context: ConnectionContext = {
    ...host.sessionContext(src, dst),
    tls: undefined,
    isGone: false,
    wakeSoon: () => wakeSoon(connection),
  }
  const session = guarded(host, () => listener.startSession(context))
  if (!session) {
    socket.on('error', () => {})
    socket.resetAndDestroy()
    return
  }
  const connection: OpenConnection = {
    socket,
    session,
    listener,
    context,
    host,
    state: newConnectionState(host.steadyNow()),
    onSent: () => !socket.destroyed && unblock(connection),
    tls: undefined,
    arrived: [],
    cancelDelay: undefined,
    cancelTimer: undefined,
    cancelWake: undefined,
    cancelWakeSoon: undefined,
    cancelHandshake: undefined,
    cancelRest: undefined,
  }
  host.stats.openConnections += 1
  host.connections.serves(socket, connection.state)
  attachHandlers(connection)
  startIdleTimer(connection, session.limits.idleMs)
  send(connection, [session.open()])
}

function attachHandlers(connection: OpenConnection): void {
  const { socket, session, listener, context, host, state, arrived } = connection
  socket.on('data', (bytes) => {
    host.passed(bytes.length)
    if (state.isClosing) return
    state.lastActivityAt = host.steadyNow()
    if (state.isSilent) {
      state.isSilent = false
      host.connections.spoke(socket)
    }
    arrived.push(bytes)
    if (arrived.length > 1) return
    joinShares(connection)
    if (arrived.length === 0) return
    // Too much waits already: rather than a connection be closed for it, this one has its answers now.
    if (!state.isResting && !host.unread.hasRoom(socket, unreadBytes(connection))) receiveArrived(connection)
    if (arrived.length === 0) return
    // It is read no further until its decoy's share of a turn.
    socket.pause()
    countUnread(connection)
  })
  socket.on('end', () => {
    if (connection.tls || !rests(connection)) receiveArrived(connection)
    // Behind our close_notify there is still our FIN to send.
    if (state.isClosing && connection.tls && !socket.writableEnded) state.isPeerDone = true
    else if (state.isClosing) socket.destroy()
    else if (connection.tls) connection.tls.receiveEnd()
    else endOfInput(connection)
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    context.isGone = true
    receiveArrived(connection)
    host.stats.openConnections -= 1
    host.unsent.release(socket)
    host.unread.release(socket)
    connection.cancelDelay?.()
    connection.cancelTimer?.()
    connection.cancelWake?.()
    connection.cancelWakeSoon?.()
    connection.cancelHandshake?.()
    connection.cancelRest?.()
    connection.tls?.destroy()
    state.isClosing = true
    guarded(host, () => host.raise(session.closed(), listener, context))
  })
}

function joinShares(connection: OpenConnection): void {
  const { listener, host, state } = connection
  if (state.isSharing) return
  state.isSharing = true
  host.shares.take(listener.instance, () => {
    state.isSharing = false
    if (!rests(connection)) receiveArrived(connection)
  })
}

/** Whether it must wait for what it, others of its source, or others at its decoy made the decoy compute; it goes on by itself. */
function rests(connection: OpenConnection): boolean {
  const { host, state } = connection
  if (state.isResting) return true
  const ms = host.costs.waitMs(workerOf(connection))
  if (ms === 0) return false
  state.isResting = true
  connection.cancelRest = afterRest(ms, () => {
    state.isResting = false
    proceed(connection)
  })
  return true
}

/** What was computed took real time, whatever the host's clock is; the answer cancels it. */
const afterRest: Clock['after'] = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

const workerOf = ({ listener, context }: OpenConnection) => ({
  decoy: listener.instance,
  source: sourceOf(context.src.host),
})

/** What the session answers, with its time counted. */
const atWork = (connection: OpenConnection, bytes: number, act: () => readonly Reply[]): readonly Reply[] =>
  connection.host.costs.work(
    workerOf(connection),
    bytes,
    act,
    connection.context.isGone && connection.state.isResting,
  )

/**
 * In its decoy's share of a turn, or before the connection ends. What a delayed reply holds up waits for `proceed`; records
 * are decrypted before the end of TLS, and held up behind that.
 */
function receiveArrived(connection: OpenConnection): void {
  const { session, state, arrived, tls } = connection
  if (arrived.length === 0 || state.isClosing) return
  if (!tls && (state.isDelayed || state.isBlocked)) return
  const bytes = arrived.length === 1 ? arrived.pop()! : Buffer.concat(arrived.splice(0))
  if (!tls)
    return send(
      connection,
      atWork(connection, bytes.length, () => session.receive(bytes)),
    )
  receiveRecords(connection, tls, bytes)
  if (connection.socket.isPaused()) proceed(connection)
}

function receiveRecords(connection: OpenConnection, tls: TlsChannel, bytes: Buffer): void {
  tls.receive(bytes)
  if (!connection.context.tls || tls.unreadBytes > 0) countUnread(connection)
}

function endOfInput(connection: OpenConnection): void {
  connection.state.isPeerDone = true
  if (!connection.state.isClosing) proceed(connection)
}

/** Goes on once everything that waited is handed to the system. */
function unblock(connection: OpenConnection): void {
  const { host, state } = connection
  if (countUnsent(connection) > 0 || !state.isBlocked) return
  state.isBlocked = false
  state.lastActivityAt = host.steadyNow()
  if (!state.isClosing && !state.isDelayed) proceed(connection)
}

/** Raises the events of all replies at once, then sends. */
function send(connection: OpenConnection, replies: readonly Reply[]): void {
  const { listener, context, host } = connection
  countUnread(connection)
  const raised = replies.flatMap(({ events }) => events ?? [])
  if (raised.length > 0) guarded(host, () => host.raise(raised, listener, context))
  for (const { error, wakeMs } of replies) {
    if (error !== undefined) host.recordError(error)
    if (wakeMs !== undefined) setWakeTimer(connection, wakeMs)
  }
  deliver(connection, replies)
}

function deliver(connection: OpenConnection, replies: readonly Reply[]): void {
  const { session, state } = connection
  const last = replies.at(-1)
  if (last?.tls === 'off') {
    for (const bytes of planSend(replies.slice(0, -1)).writes) write(connection, bytes)
    const behind = stopTls(connection)
    const { tls: _, ...unencrypted } = last
    deliver(connection, [unencrypted])
    if (behind.length > 0 && !state.isClosing) send(connection, session.receive(behind))
    return
  }
  const { writes, delayed, later, tls, close: how } = planSend(replies)
  for (const bytes of writes) write(connection, bytes)
  if (tls) startTls(connection, tls, { send, endOfInput })
  else if (delayed) delay(connection, delayed)
  else if (later) waitFor(connection, later)
  else if (how) close(connection, how)
  else proceed(connection)
}

/** Less than this is not counted: every connection may keep as much. */
const FREE_UNREAD_BYTES = 4 * 1024

function unreadBytes({ session, tls, arrived }: OpenConnection): number {
  const bytes = arrived.reduce(
    (sum, { length }) => sum + length,
    session.unreadBytes + (tls?.unreadBytes ?? 0),
  )
  return bytes <= FREE_UNREAD_BYTES ? 0 : bytes
}

function countUnread(connection: OpenConnection): void {
  const { socket, host } = connection
  const bytes = unreadBytes(connection)
  if (bytes === 0) return host.unread.release(socket)
  for (const evicted of host.unread.hold(socket, bytes)) evicted.destroy()
}

function setWakeTimer(connection: OpenConnection, ms: number, after = connection.host.clock.after): void {
  connection.cancelWake?.()
  connection.cancelWake = after(ms, () => wake(connection, (...again) => setWakeTimer(connection, ...again)))
}

/** Not at once: the events of the connection that asks for it are raised first. */
function wakeSoon(connection: OpenConnection, ms = 0, after = connection.host.clock.after): void {
  if (connection.state.isClosing || connection.cancelWakeSoon) return
  connection.cancelWakeSoon = after(ms, () => {
    connection.cancelWakeSoon = undefined
    wake(connection, (...again) => wakeSoon(connection, ...again))
  })
}

/** A peer's reply that is delayed or computed goes first. */
function wake(connection: OpenConnection, tryAgain: (ms: number, after?: Clock['after']) => void): void {
  const { session, state, host } = connection
  if (state.isClosing) return
  if (state.isDelayed) return tryAgain(recheckMs(state))
  const restMs = host.costs.waitMs(workerOf(connection))
  if (restMs > 0) return tryAgain(restMs, afterRest)
  const replies = atWork(connection, 0, () => listOf(session.wake()))
  if (replies.length > 0) send(connection, replies)
}

/** Its events are raised already. */
function delay(connection: OpenConnection, reply: Reply): void {
  const { socket, host, state } = connection
  const { delayMs } = reply
  const goOn = (): void => {
    state.isDelayed = state.isBetweenWrites = false
    if (state.isClosing) return
    state.lastActivityAt = host.steadyNow()
    deliver(connection, [{ ...reply, delayMs: 0 }])
  }
  socket.pause()
  state.isDelayed = true
  state.isBetweenWrites = !delayMs
  connection.cancelDelay = delayMs ? host.clock.after(delayMs, goOn) : nextTurn(goOn)
}

/** The answer cancels it. */
function nextTurn(run: () => void): () => void {
  const turn = setImmediate(run)
  return () => clearImmediate(turn)
}

/** Reads no more until the reply is computed. */
function waitFor(connection: OpenConnection, later: NonNullable<Reply['later']>): void {
  const { socket, host, state } = connection
  socket.pause()
  state.isDelayed = true
  void later().then((reply) => {
    state.isDelayed = false
    if (state.isClosing) return
    state.lastActivityAt = host.steadyNow()
    send(connection, [reply])
  })
}

function proceed(connection: OpenConnection): void {
  const { socket, session, state, arrived } = connection
  const next = nextAction(state, session.hasMore)
  if (next === 'wait') return
  if (next === 'resume') return joinTurns(connection)
  if (arrived.length > 0) return joinShares(connection)
  if (next === 'close') return endBehindPeer(connection)
  if (socket.isPaused()) socket.resume()
}

function endBehindPeer(connection: OpenConnection): void {
  const reply = connection.session.ended()
  if (reply) send(connection, [reply])
  else close(connection, 'end')
}

const listOf = (reply: Reply | undefined): readonly Reply[] => (reply ? [reply] : [])

/** One peer's pipeline does not hold up the others. */
function joinTurns(connection: OpenConnection): void {
  const { session, host, state, context } = connection
  if (state.isQueued) return
  state.isQueued = true
  host.turns.join(sourceOf(context.src.host), () => {
    state.isQueued = false
    if (nextAction(state, session.hasMore) !== 'resume') return proceed(connection)
    if (!rests(connection)) send(connection, atWork(connection, 0, session.resume))
  })
}

function startIdleTimer(connection: OpenConnection, ms: number): void {
  const { socket, session, host, state } = connection
  const { idleMs } = session.limits
  connection.cancelTimer = host.clock.after(ms, () => {
    const action = onIdleTimer(state, idleMs, host.steadyNow())
    if (typeof action === 'object') return startIdleTimer(connection, action.waitMs)
    if (action === 'closing') return
    if (action === 'reset') return void socket.resetAndDestroy()
    if (connection.tls && !connection.context.tls) return connection.tls.giveUp()
    const reply = session.idle()
    if (!reply) return close(connection, 'end')
    state.lastActivityAt = host.steadyNow()
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
