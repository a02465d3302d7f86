// Where token URLs are opened, by HTTP or HTTPS: listeners of their own, never the console's origin. The touch is committed
// before the answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import type { World } from '@rookery/kernel/world.ts'
import { blank } from '@rookery/tokens/channels/http/blank.ts'
import { robotsAnswer } from '@rookery/tokens/channels/http/robots.ts'
import type { HttpAnswer, HttpVisit } from '@rookery/tokens/channels/http/visit.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { Logger } from 'pino'
import type { TokenOutcome } from '../../flows/ingest/ingest-item.ts'
import { admit } from '../../admission/admission.ts'
import { clientAddress, type ForwardedHeader } from '../../addresses/client-address.ts'
import { plainAddress, type Ranges } from '../../addresses/ranges.ts'
import { findTokenId } from '../../secrets/token-id.ts'
import type { Vault } from '../../secrets/vault.ts'
import { openProxiedConnections } from '../tcp/proxy-protocol/proxied-connections.ts'
import type { TokenTouches } from '../token-touches.ts'
import { BAD_REQUEST, connectRefusal, refusalOf, type ApacheError } from './apache-errors.ts'
import { closingAnswer, KEEP_ALIVE_S } from './apache-head.ts'
import type { AnswerFeed } from './provider-feed.ts'
import type { RejectedRequest } from './rejected-request.ts'
import { openRejections, type Rejections } from './rejections.ts'
import { bodyReader, hasBody } from './request-body.ts'
import { answerSender, type ReadFile, type SendAnswer } from './send-answer.ts'
import type { LiveCertificates } from './tls/live-certificates.ts'
import { putTlsBefore } from './tls/tls-connections.ts'
import { visitOf, type VisitingRequest } from './visit.ts'

export interface TokenChannel {
  readonly server: Server
  stop(): Promise<void>
}

export interface TokenServerOptions {
  readonly world: Pick<World, 'clock'>
  readonly vault: Vault
  readonly log: Logger
  /** Proxies that name their clients in this header. */
  readonly trusted: Ranges
  readonly forwardedHeader: ForwardedHeader
  /** Load balancers whose connections begin with a PROXY header; undefined where none does. */
  readonly balancers: Ranges | undefined
  /** Connections of one source. */
  readonly perSource: Limit
  /** The port that artefacts name, shown in events as `dst_port`; undefined stands for the listener's own. */
  readonly advertisedPort: number | undefined
  readonly touches: Pick<TokenTouches, 'submit'>
  /** Uploaded files, which kinds may answer with. */
  readonly readFile: ReadFile
  /** Requests of providers to the addresses of their feeds. */
  readonly answerFeed: AnswerFeed
  /** Called for every request, whether it names a token or not. */
  readonly onRequest: (srcHost: string) => void
  /** A connection of this address was refused. */
  readonly onRefused?: (address: string) => void
  /** With them the server speaks HTTPS, else HTTP. */
  readonly certificates?: Pick<LiveCertificates, 'find'>
}

/** Where a request came from. */
interface Origin {
  readonly connection: Socket
  /** The address of the connection's other end. */
  readonly client: string
  /** Another one where a trusted proxy forwards the request. */
  readonly source: string
}

/** Connections by HTTP at one time. */
const CONNECTIONS = limit('connections_to_the_token_server', 10_000)
/** Each takes some ten KiB of OpenSSL's. */
const TLS_CONNECTIONS = limit('tls_connections_to_the_token_server', 1_000)
const CLOSE_AFTER_MS = 1_000

export function openTokenServer(options: TokenServerOptions): TokenChannel {
  const { world, log, touches } = options
  const bodies = bodyReader(world.clock)
  const clients = openProxiedConnections({ ...options, clock: world.clock })
  /** Where they arrived: a socket that is closed tells no more. */
  const locals = new WeakMap<Socket, { readonly host: string; readonly port: number }>()

  function cameFrom(request: Pick<VisitingRequest, 'headers'>, socket: Socket): Origin {
    const forwarded = request.headers[options.forwardedHeader]?.toString()
    const connection = tls?.connectionOf(socket) ?? socket
    const client = clients.clientOf(connection)
    const source = clientAddress(client, forwarded, options.trusted, options.forwardedHeader)
    options.onRequest(source)
    return { connection, client, source }
  }

  /** Stores the touch, if the request carries a token; resolves with the kind's answer after the commit. */
  async function touch(request: IncomingMessage, socket: Socket): Promise<HttpAnswer | undefined> {
    const origin = cameFrom(request, socket)
    const fed = options.answerFeed(request)
    if (fed) return fed
    const disallowed = robotsAnswer({ method: request.method ?? '', path: request.url ?? '' })
    if (disallowed) {
      bodies.drop(request)
      return disallowed
    }
    const tokenId = tokenIdIn(request, options.vault)
    if (tokenId === undefined) return void bodies.drop(request)
    let visit = visitFrom(request, socket, origin)
    let release: (() => void) | undefined
    const reading = bodies.read(request)
    if (reading !== undefined) {
      const held = await reading
      release = held.release
      visit = { ...visit, ...held.content }
    }
    return answerOf(await submit(tokenId, visit, origin, release), visit)
  }

  function visitFrom(request: VisitingRequest, socket: Socket, origin: Origin): HttpVisit {
    const { connection, client, source } = origin
    const dstPort = options.advertisedPort ?? locals.get(connection)?.port ?? 0
    let visit = visitOf(request, source, dstPort)
    if (tls) visit = { ...visit, isSecure: true }
    // Where a proxy forwards the request, its TLS is the proxy's own.
    const ja4 = source === client ? tls?.ja4Of(socket) : undefined
    if (ja4 !== undefined) visit = { ...visit, ja4 }
    return visit
  }

  function submit(
    tokenId: string,
    visit: HttpVisit,
    { connection }: Origin,
    release?: () => void,
  ): Promise<TokenOutcome> {
    const dstHost = locals.get(connection)?.host ?? ''
    // Behind a proxy the source port is the proxy's, so tokens have none.
    return touches.submit({ tokenId, srcPort: 0, dstHost, visit, receivedAt: world.clock.now() }, release)
  }

  /** Of a request that the HTTP parser rejects: its body is not read. */
  function touchRejected(request: RejectedRequest, socket: Socket): Promise<unknown> | undefined {
    const tokenId = tokenIdIn(request, options.vault)
    if (tokenId === undefined) return undefined
    const origin = cameFrom(request, socket)
    // Its client would be hidden behind the proxy's address.
    if (!request.hasAllFields && options.trusted.has(origin.client)) return undefined
    return submit(tokenId, visitFrom(request, socket, origin), origin)
  }

  const now = (): number => world.clock.now()
  const rejections = openRejections(touchRejected, log)
  const server = tokenHttpServer(touch, answerSender(options.readFile, now), { log, now, rejections })
  const { certificates } = options
  const tls = certificates && putTlsBefore(server, { ...options, clients, certificates, clock: world.clock })
  server.on('connection', (socket: Socket) =>
    locals.set(socket, { host: plainAddress(socket.localAddress ?? ''), port: socket.localPort ?? 0 }),
  )
  admit(server, {
    ...options,
    clients,
    servesGone: true,
    bound: tls ? TLS_CONNECTIONS : CONNECTIONS,
    clock: world.clock,
    ...(tls && { connectionOf: tls.connectionOf }),
  })
  // Before the bounds of admission let it wait.
  server.prependListener('clientError', rejections.note)
  clients.guard(server)
  return {
    server,
    async stop() {
      clients.stop()
      tls?.stop()
      await closeServer(server)
    },
  }
}

const tokenIdIn = ({ url, headers }: VisitingRequest, vault: Vault): string | undefined =>
  findTokenId(`${url ?? ''} ${headers.host ?? ''}`, vault)

async function closeServer(server: Server): Promise<void> {
  server.closeIdleConnections()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  setTimeout(() => server.closeAllConnections(), CLOSE_AFTER_MS).unref()
  await closed
}

function answerOf({ kind, settings, visited }: TokenOutcome, visit: HttpVisit): HttpAnswer | undefined {
  return kind === undefined ? undefined : kinds[kind]?.on.http?.answer?.(visit, settings, visited)
}

type Touch = (request: IncomingMessage, socket: Socket) => Promise<HttpAnswer | undefined>

interface TokenHttpDeps {
  readonly log: Logger
  readonly now: () => number
  readonly rejections: Pick<Rejections, 'of'>
}

/** Calls `touch` for every request, whatever its method; without an answer of the kind's own it sends the blank one. */
function tokenHttpServer(touch: Touch, send: SendAnswer, { log, now, rejections }: TokenHttpDeps): Server {
  const server = createServer(
    {
      keepAliveTimeout: 1_000 * KEEP_ALIVE_S,
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      noDelay: true,
      // Node.js would refuse it before anybody sees it, and in its own words.
      requireHostHeader: false,
    },
    serve,
  )
  // A method or an expectation that is not served fires all the same, and its answer does not show what serves here.
  server.on('checkExpectation', serve)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request) && !refusalOf(request, request.httpVersion)) response.writeContinue()
    serve(request, response)
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined)
    touch(request, request.socket)
      .catch((error: unknown) => log.error({ err: error }, 'token answer failed'))
      .finally(() => refuse(socket, connectRefusal(request)))
  })
  /** Those whose touch is being stored: what else they send is rejected again. */
  const awaited = new WeakSet<Duplex>()
  server.on('clientError', (_error, socket) => {
    const { answer = BAD_REQUEST, isHead = false, touched } = rejections.of(socket) ?? {}
    if (!touched) return refuse(socket, answer, isHead)
    if (awaited.has(socket)) return
    awaited.add(socket)
    void touched.then(() => refuse(socket, answer, isHead))
  })
  return server

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const sendBlank = () => send(request, response, blank(request.headers.accept))
    touch(request, request.socket)
      .then((answer) => {
        const sent = refusalOf(request, request.httpVersion) ?? answer
        return sent ? send(request, response, sent) : sendBlank()
      })
      .catch((error: unknown) => {
        log.error({ err: error }, 'token answer failed')
        if (!response.headersSent) void sendBlank()
      })
  }

  /** Answers, and closes the connection from this side: the client may keep its own open. */
  function refuse(socket: Duplex, answer: ApacheError, isHead = false): void {
    if (!socket.writable) return void socket.destroy()
    socket.end(closingAnswer(answer, isHead, now()), 'latin1', () => socket.destroy())
  }
}
