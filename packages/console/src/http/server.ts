// The console's HTTP server: bodies with every method, faults as JSON, keys never in a log.
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify'
import type { Logger } from 'pino'
import { Fault } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { Limit } from '@rookery/kernel/limit.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { LiveCertificates } from '../channels/http/tls/live-certificates.ts'
import { admit, type Admission } from '../admission/admission.ts'
import type { Ranges } from '../addresses/ranges.ts'
import { CONNECTIONS } from './request-limits.ts'
import { wholeInTime } from './body/whole-in-time.ts'
import { bodyDiscarder } from './body/discard.ts'
import { compressAnswers } from './compress.ts'
import { answerFault, answerFaults, refuseBytes, type DiagnoseOutage } from './faults.ts'
import { openRefusedCalls } from './refused-calls.ts'
import type { PageFiles } from './page/page-files.ts'
import { servePage, type AnswerPage } from './page/serve-page.ts'
import { openServedMethods, type ServedMethods } from './served-methods.ts'
import { securityHeaders } from './security-headers.ts'
import { openTlsServer, type TlsServer } from './tls-server.ts'

export interface ServerOptions {
  readonly log: Logger
  readonly world: Pick<World, 'clock' | 'random'>
  /** Proxies whose forwarded addresses are believed; empty believes none. */
  readonly trustedProxies: readonly string[]
  readonly outage: DiagnoseOutage
  /** `ROOKERY_PUBLIC_URL`; empty where none is set. */
  readonly publicUrl: string
  /** Connections of one source. */
  readonly perSource: Limit
  /** The same proxies, to look an address up. */
  readonly trusted: Ranges
  /** A connection of this address was refused. */
  readonly onRefused: (address: string) => void
}

/** Those of them that only a connection without a request may take. */
const NEWCOMERS = 1_000
const HEADERS_MS = 10_000
/** Longer than proxies keep theirs (nginx: 60 s), so that none sends a request on a connection that is being closed. */
const KEPT_MS = 75_000
const CHECK_MS = 2_000
const CROWDED_RETRY_S = 5

export interface OpenedServer {
  readonly server: FastifyInstance
  readonly admission: Admission
  /** The same by HTTPS, once. */
  readonly openTls: (certificates: Pick<LiveCertificates, 'find'>) => TlsServer
  readonly methods: ServedMethods
  /** Serves the page for addresses that the API does not have. */
  readonly usePage: (files: PageFiles) => void
}

export function openServer(options: ServerOptions): OpenedServer {
  const { log, world, trustedProxies, outage } = options
  const { clock, random } = world
  const headers = securityHeaders(/^https:/i.test(options.publicUrl))
  const httpsHeaders = securityHeaders(true)
  // How long a body may take is a matter of its route (body/whole-in-time.ts).
  const times = { requestTimeout: 0, keepAliveTimeout: KEPT_MS }
  const checks = { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS }
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost as much as the JSON of its answer: log lines name the request's id (faults.ts).
    childLoggerFactory: (log) => log,
    genReqId: () => hex(random, 16),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    ...times,
    http: checks,
    // Parameters are read from all their sources at once (parameters.ts).
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, querystringParser: () => ({}) },
    return503OnClosing: false,
    // Errors before a request exists are answered in the same form.
    frameworkErrors(error, request, reply) {
      void answerFault(new Fault('bad-input', error.message), request, reply.headers(headers))
    },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket, hex(random, 16), headers),
  })
  const admitting = { ...options, clock, newcomers: NEWCOMERS }
  const plain = admit(server.server, { ...admitting, bound: CONNECTIONS })
  let tls: TlsServer | undefined
  const admissionOf = (socket: Socket): Admission =>
    tls && socket instanceof TLSSocket ? tls.admission : plain
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.protocol === 'https' ? httpsHeaders : headers)
    done(admissionOf(request.raw.socket).isCrowded() ? crowded(reply) : undefined)
  })
  // A form on GET is a request like any other.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  server.removeAllContentTypeParsers()
  // The body is read once the caller is known (body/read.ts).
  server.addContentTypeParser('*', (_request, _body, done) => done(null))
  const discardBody = bodyDiscarder(clock)
  server.addHook('onSend', (request, reply, _payload, done) => {
    discardBody(request.raw, reply.raw)
    done()
  })
  wholeInTime(server, clock)
  compressAnswers(server)
  const methods = openServedMethods(server)
  let answerPage: AnswerPage | undefined
  answerFaults(server, outage, openRefusedCalls(clock), methods, () => answerPage)
  const usePage = (files: PageFiles): void => void (answerPage = servePage(server, files))
  const admission = {
    ...plain,
    noteAuthenticated: (socket: Socket) => admissionOf(socket).noteAuthenticated(socket),
    noteSession: (socket: Socket) => admissionOf(socket).noteSession(socket),
  }
  const refuse = (error: Error, socket: Duplex): void =>
    refuseBytes(error, socket as Socket, hex(random, 16), httpsHeaders)
  const openTls: OpenedServer['openTls'] = (certificates) =>
    (tls = openTlsServer(server, { ...admitting, certificates, refuse, http: { ...times, ...checks } }))
  return { server, admission, openTls, methods, usePage }
}

function crowded(reply: FastifyReply): Fault {
  CONNECTIONS.hit()
  reply.header('Connection', 'close')
  return new Fault('unavailable', `Too many connections are open. Try again in ${CROWDED_RETRY_S} s.`, {
    retryAfterS: CROWDED_RETRY_S,
  })
}
