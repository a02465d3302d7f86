// The console's HTTP server: one body reader for every method, faults as JSON, keys never in a log.
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Fault } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import { BODY_BYTES, CONNECTIONS } from './request-limits.ts'
import { answerFault, answerFaults, refuseBytes, type DiagnoseOutage } from './faults.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export interface ServerOptions {
  readonly log: Logger
  readonly random: Random
  /** Proxies whose forwarded addresses are believed; empty believes none. */
  readonly trustedProxies: readonly string[]
  readonly outage: DiagnoseOutage
}

export function openServer({ log, random, trustedProxies, outage }: ServerOptions): FastifyInstance {
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost as much as the JSON of its answer: log lines name the request's id (faults.ts).
    childLoggerFactory: (log) => log,
    genReqId: () => hex(random, 16),
    bodyLimit: BODY_BYTES.max,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout: 60_000,
    // Parameters are read from all their sources at once (parameters.ts).
    routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}) },
    return503OnClosing: false,
    // Errors before a request exists are answered in the same form.
    frameworkErrors(error, request, reply) {
      void answerFault(new Fault('bad-input', error.message), request, reply.headers(SECURITY_HEADERS))
    },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket, hex(random, 16)),
  })
  server.server.maxConnections = CONNECTIONS.max
  server.server.on('drop', CONNECTIONS.hit)
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS)
    done()
  })
  // A form on GET is a request like any other (behaviour 1).
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  answerFaults(server, outage)
  return server
}
