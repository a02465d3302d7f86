// Where token URLs are opened: a listener of its own, never the console's origin. The touch is committed before the answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { blank } from '@rookery/tokens/blank.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { HttpAnswer, HttpVisit } from '@rookery/tokens/token.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { TokenOutcome, TokenVisit } from '../../flows/ingest/entry.ts'
import { clientAddress } from '../../net/client-address.ts'
import { plainAddress, type Ranges } from '../../net/ranges.ts'
import { findTokenId } from '../../secrets/token-id.ts'
import type { Vault } from '../../secrets/vault.ts'
import { openHeld } from './held.ts'
import { visitOf } from './visit.ts'

export interface TokenChannel {
  readonly server: Server
  /** Touches that wait in memory because the disk is full. */
  held(): number
  stop(): Promise<void>
}

export interface TokenServing {
  readonly world: Pick<World, 'clock'>
  readonly vault: Vault
  readonly log: Logger
  readonly trusted: Ranges
  /** The port that artefacts name, which events show as `dst_port`; undefined is the listener's own. */
  readonly advertisedPort: number | undefined
  readonly submit: (visit: TokenVisit) => Promise<TokenOutcome>
}

const MOST_CONNECTIONS = 10_000
const SMALL_BODY = 4096

export function openTokenServer(serving: TokenServing): TokenChannel {
  const { world, vault, log, trusted, advertisedPort } = serving
  let lost = 0
  const held = openHeld(serving.submit, world.clock, ({ tokenId }, reason) => {
    // Thousands may follow: one line of the log speaks for a thousand.
    if (lost++ % 1_000 === 0) log.error({ err: reason, tokenId, lost }, 'a touch of a token is lost')
  })

  const server = createServer(
    {
      keepAliveTimeout: 5_000,
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      noDelay: true,
    },
    answer,
  )
  server.maxConnections = MOST_CONNECTIONS
  // Any method and any expectation fires; none shows by its answer what serves here.
  server.on('checkExpectation', answer)
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined)
    touch(request, request.socket)
      .catch((error: unknown) => log.error({ err: error }, 'token answer failed'))
      .finally(() => refuse(socket))
  })
  server.on('clientError', (_error, socket) => refuse(socket))

  function answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume()
    serve(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'token answer failed')
      if (!response.headersSent) send(response, request.method, blank(request.headers.accept))
    })
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const touched = await touch(request, request.socket)
    send(response, request.method, touched ? answerOf(...touched) : blank(request.headers.accept))
  }

  /** Stores the touch, if the request carries a token; resolves after the commit. */
  async function touch(
    request: IncomingMessage,
    socket: Socket,
  ): Promise<[TokenOutcome, HttpVisit] | undefined> {
    const tokenId = findTokenId(`${request.url ?? ''} ${request.headers.host ?? ''}`, vault)
    if (tokenId === undefined) return undefined
    const forwarded = request.headers['x-forwarded-for']
    const source = clientAddress(socket.remoteAddress ?? '', forwarded?.toString(), trusted)
    const visit = visitOf(request, source, advertisedPort ?? socket.localPort ?? 0)
    const outcome = await held.submit({
      tokenId,
      visit,
      // Tokens have no source port of use: behind a proxy it is the proxy's (behaviour 5).
      srcPort: 0,
      dstHost: plainAddress(socket.localAddress ?? ''),
      receivedAt: world.clock.now(),
    })
    return [outcome, visit]
  }

  function answerOf({ kind, settings }: TokenOutcome, visit: HttpVisit): HttpAnswer {
    const found = kind === undefined ? undefined : kinds[kind]
    return found ? found.answer(visit, settings) : blank(visit.headers['Accept'])
  }

  return {
    server,
    held: () => held.size(),
    async stop() {
      server.closeIdleConnections()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      setTimeout(() => server.closeAllConnections(), 1_000).unref()
      await closed
      const left = await held.stop()
      if (left > 0) log.error({ lost: left }, 'touches of tokens are lost: they could not be stored in time')
    },
  }
}

/** Says that it is no request, and closes: whoever sent it may never do so himself. */
function refuse(socket: Duplex): void {
  if (!socket.writable) return void socket.destroy()
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nServer: Apache\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    () => socket.destroy(),
  )
}

function send(response: ServerResponse, method: string | undefined, answer: HttpAnswer): void {
  const { status, headers, body } = answer
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(status, { Server: 'Apache', ...headers, 'Content-Length': length })
  if (method === 'HEAD') response.end()
  // As text it leaves in one write with the head, bytes would take two.
  else if (typeof body !== 'string' && length <= SMALL_BODY)
    response.end(Buffer.from(body).toString('latin1'), 'latin1')
  else response.end(body)
}
