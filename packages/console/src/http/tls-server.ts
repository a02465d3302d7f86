// A second listener of the console, by HTTPS: the same routes behind certificates that are read again when they change.
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { limit } from '@rookery/kernel/limit.ts'
import { putTlsBefore, type TlsConnectionsDeps } from '../channels/http/tls/tls-connections.ts'
import { admit, type Admission, type AdmissionOptions } from '../admission/admission.ts'
import { DIRECT } from '../admission/connection-clients.ts'

export interface TlsServer {
  readonly server: Server
  readonly admission: Admission
  /** Stops accepting; resolves once open calls are answered. */
  stop(): Promise<void>
}

export interface TlsServerDeps
  extends Omit<AdmissionOptions, 'bound' | 'connectionOf'>, Pick<TlsConnectionsDeps, 'certificates'> {
  readonly http: ServerOptions
  /** Answers bytes that are no HTTP request. */
  readonly refuse: (error: Error, socket: Duplex) => void
}

/** Each takes some ten KiB of OpenSSL's. */
const CONNECTIONS = limit('https_connections', 3_000)

export function openTlsServer(routes: Pick<FastifyInstance, 'routing'>, deps: TlsServerDeps): TlsServer {
  const { http, refuse } = deps
  const server = createServer(http, (request, response) => routes.routing(request, response))
  server.on('clientError', refuse)
  const tls = putTlsBefore(server, { ...deps, clients: DIRECT })
  const admission = admit(server, { ...deps, bound: CONNECTIONS, connectionOf: tls.connectionOf })
  return {
    server,
    admission,
    stop() {
      tls.stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      return closed
    },
  }
}
