// TLS on one connection, from the moment at which its session asks for it.
import type { Reply } from '../../session/session.ts'
import type { TlsServer } from '../../session/tls-server.ts'
import type { Certificate } from '../../machine/certificate.ts'
import { close } from './output.ts'
import type { OpenConnection } from './open-connection.ts'
import { sourceOf } from '../source.ts'
import { beginHandshake, handshakeTurn } from '../tls/budget.ts'
import { openTlsChannel, type TlsEvents } from '../tls/channel.ts'

export interface TlsDeps {
  readonly send: (connection: OpenConnection, replies: readonly Reply[]) => void
  readonly endOfInput: (connection: OpenConnection) => void
}

/** Reads no more until the certificate is there, it is the source's turn, and the peer has taken what came before. */
export function startTls(connection: OpenConnection, server: TlsServer, deps: TlsDeps): void {
  const { socket, context, host, state } = connection
  socket.pause()
  state.isDelayed = true
  const ready = Promise.all([server.certificate, handshakeTurn(sourceOf(context.src.host), host.clock)])
  ready
    .then(([certificate]) => open(connection, server, certificate, deps))
    .catch((error: unknown) => fail(connection, error))
}

function open(connection: OpenConnection, server: TlsServer, certificate: Certificate, deps: TlsDeps): void {
  const { socket, session, host, state, arrived } = connection
  state.isDelayed = false
  if (state.isClosing) return
  state.lastActivityAt = host.steadyNow()
  const channel = openTlsChannel(server, certificate, tlsEvents(connection, deps))
  connection.tls = channel
  connection.cancelHandshake = host.clock.after(server.handshakeMs, () => close(connection, 'end'))
  const unread = Buffer.concat([session.takeUnread(), ...arrived.splice(0)])
  if (unread.length > 0) channel.receive(unread)
  if (state.isPeerDone) channel.receiveEnd()
  if (!state.isBlocked) socket.resume()
}

/** Without close_notify. Answers what the peer sent behind its last record; what OpenSSL has not decrypted yet is lost. */
export function stopTls(connection: OpenConnection): Buffer {
  const unencrypted = connection.tls?.kept() ?? Buffer.alloc(0)
  connection.cancelHandshake?.()
  connection.tls?.destroy()
  connection.tls = undefined
  connection.context.tls = undefined
  return unencrypted
}

function tlsEvents(connection: OpenConnection, { send, endOfInput }: TlsDeps): TlsEvents {
  const { socket, session, context, state, onSent } = connection
  return {
    transmit(records, done) {
      if (socket.destroyed || !socket.writable) return done()
      socket.write(records, () => {
        done()
        onSent()
      })
    },
    onHello() {
      const cancelTimer = connection.cancelHandshake
      const end = beginHandshake(() => close(connection, 'end'))
      connection.cancelHandshake = () => {
        cancelTimer?.()
        end()
      }
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
    onDrain: onSent,
    onFailure(failure) {
      connection.cancelHandshake?.()
      connection.tls?.destroy()
      connection.tls = undefined
      if (state.isClosing) return
      const reply = session.tlsFailed(failure)
      if (reply) send(connection, [reply])
      // A session may say its last word later.
      if (!reply?.close && reply?.wakeMs === undefined) close(connection, 'end')
    },
    onBroken(how) {
      connection.tls?.destroy()
      connection.tls = undefined
      close(connection, how)
    },
    onError: (error) => fail(connection, error),
  }
}

function fail(connection: OpenConnection, error: unknown): void {
  connection.host.recordError(error)
  close(connection, 'reset')
}
