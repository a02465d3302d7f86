// TLS in front of HTTP: a server's connections are handed to HTTP when their handshake is done. Node's own HTTPS server would
// begin each handshake at once, and tells nobody which socket a TLS socket is of.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Clock } from '@rookery/kernel/world.ts'
import type { ConnectionClients } from '../../../admission/connection-clients.ts'
import type { Ranges } from '../../../addresses/ranges.ts'
import { sourceNetwork } from '../../../addresses/source-network.ts'
import { awaitHello } from './client-hello.ts'
import { openHandshakeQueue } from './handshake-queue.ts'
import { ja4 } from './ja4.ts'
import type { LiveCertificates } from './live-certificates.ts'

export interface TlsConnections {
  /** The connection that carries this socket. */
  connectionOf(socket: Socket): Socket
  /** The JA4 fingerprint of what its client said first; undefined for a socket without TLS. */
  ja4Of(socket: Socket): string | undefined
  /** Closes those whose handshake is not done. */
  stop(): void
}

export interface TlsConnectionsDeps {
  readonly clock: Clock
  readonly certificates: Pick<LiveCertificates, 'find'>
  /** Proxies: their connections carry many sources. */
  readonly trusted: Ranges
  readonly clients: ConnectionClients
}

/** A handshake takes at most this time, with the wait for its turn. */
const HANDSHAKE_MS = 10_000

/** Call it before anything else listens to the server's connections. */
export function putTlsBefore(server: Server, deps: TlsConnectionsDeps): TlsConnections {
  const { clock, certificates, trusted, clients } = deps
  const queue = openHandshakeQueue(clock)
  const unfinished = new Set<Socket>()
  const connections = new WeakMap<Socket, Socket>()
  const fingerprints = new WeakMap<Socket, string>()
  const speakHttp = server.listeners('connection')
  server.removeAllListeners('connection')

  function handshake(connection: Socket, hello: Buffer | undefined, onDone: () => void): void {
    const secured = new TLSSocket(connection, {
      isServer: true,
      secureContext: certificates.find().context,
      SNICallback: (name, done) => done(null, certificates.find(name).context),
      ALPNProtocols: ['http/1.1'],
    })
    const fail = (): void => void connection.destroy()
    secured.on('error', fail)
    secured.once('secure', () => {
      onDone()
      secured.off('error', fail)
      connections.set(secured, connection)
      const fingerprint = hello && ja4(hello)
      if (fingerprint !== undefined) fingerprints.set(secured, fingerprint)
      for (const listener of speakHttp) Reflect.apply(listener, server, [secured])
    })
  }

  server.on('connection', (connection: Socket) => {
    // Admission has refused it.
    if (connection.destroyed) return
    connection.on('error', () => undefined)
    const close = (): void => void connection.destroy()
    const cancelTimeout = clock.after(HANDSHAKE_MS, close)
    const onDone = (): void => {
      cancelTimeout()
      unfinished.delete(connection)
    }
    unfinished.add(connection)
    const address = clients.clientOf(connection)
    const source = trusted.has(address) ? undefined : sourceNetwork(address)
    awaitHello(connection, (hello) => {
      const begin = (): void =>
        handshake(connection, hello, () => {
          leave?.()
          onDone()
        })
      const leave = queue.enter(source, { begin, close })
      if (!leave) return close()
      connection.once('close', leave)
    })
    connection.once('close', onDone)
  })

  return {
    connectionOf: (socket) => connections.get(socket) ?? socket,
    ja4Of: (socket) => fingerprints.get(socket),
    stop() {
      for (const connection of unfinished) connection.destroy()
    },
  }
}
