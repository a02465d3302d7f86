// Where Birds connect: WebSockets at /bird/v1/link of the console's own HTTP server.
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import { MAX_FRAME_BYTES } from '@rookery/link/frames.ts'
import type { AppContext } from '../../app-context.ts'
import type { Ingest } from '../../flows/ingest/ingest.ts'
import type { Admission } from '../../admission/admission.ts'
import { clientAddress } from '../../addresses/client-address.ts'
import type { Ranges } from '../../addresses/ranges.ts'
import { birdSession } from './bird-session/driver.ts'
import { openEffects } from './bird-session/effects.ts'
import { openBirdSources } from './bird-sources.ts'
import { MESSAGE_PARTS, openConnection } from './connection.ts'
import { openConsoleKey } from './console-key.ts'
import { openEventAllowance } from './event-allowance.ts'
import { openFloodGuard } from './flood-guard.ts'
import { halfOpenConnections } from './half-open.ts'
import { openHandshakeRate } from './handshake-rate.ts'
import { openHeartbeats } from './heartbeats.ts'
import { openHelloRate } from './hello-rate.ts'
import { pendingLinks } from './pending-links.ts'
import { openSessionRegistry } from './session-registry.ts'

export interface LinkChannel {
  /** Answers the link's path on this server; every other upgrade is refused. */
  attach(server: Server, admission: Pick<Admission, 'admitLink'>): void
  /** A change of Birds was committed: their links read it now. */
  wake(): void
  /** Birds that have a link. */
  count(): number
  stop(): Promise<void>
}

/** Options. */
export interface LinkAllowances {
  /** Events a second that are taken of one Bird. */
  readonly eventsPerSecond: number
  /** Handshakes a second of one source. */
  readonly handshakesPerSecond: number
  /** HELLOs of one key in 15 s. */
  readonly hellos: number
}

export interface LinkDeps extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world' | 'background'> {
  readonly ingest: Pick<Ingest, 'fromBird'>
  readonly log: Logger
  readonly trusted: Ranges
  readonly allowances: LinkAllowances
  /** A Bird whose outage has an incident is back. */
  readonly checkLiveness: () => void
}

const PATH = '/bird/v1/link'
/** A message of the session is a frame and its 16-byte tag. */
const MAX_MESSAGE_BYTES = MAX_FRAME_BYTES + 16
const SOCKETS = {
  noServer: true,
  maxPayload: MAX_MESSAGE_BYTES,
  maxFragments: MESSAGE_PARTS.max,
  maxBufferedChunks: MESSAGE_PARTS.max,
  perMessageDeflate: false,
  clientTracking: true,
  // Each connection answers pings within its bounds.
  autoPong: false,
}
const STOPPING_MS = 1_000
/** Log lines about refused links. */
const REFUSALS_LOGGED = limit('link_refusal_log_lines_per_minute', 20)

export async function openLink(deps: LinkDeps): Promise<LinkChannel> {
  const { reader, writer, world, background, trusted, ingest, checkLiveness } = deps
  const { clock } = world
  const log = deps.log.child({ part: 'link' })
  const sockets = new WebSocketServer(SOCKETS)
  const registry = await openSessionRegistry(reader, clock, log, background)
  const heartbeats = openHeartbeats(writer, clock, log, background)
  const consoleKey = await openConsoleKey(deps)
  const { allowances } = deps
  const birds = await openBirdSources({ reader, clock, log })
  const handshakes = openHandshakeRate({
    birds,
    clock,
    perSecond: allowances.handshakesPerSecond,
    perBird: allowances.hellos,
  })
  const halfOpen = halfOpenConnections(birds)
  const pending = pendingLinks()
  const effects = openEffects({
    reader,
    writer,
    world,
    vault: deps.vault,
    ingest,
    heartbeats,
    log,
    checkLiveness,
    eventAllowance: openEventAllowance(clock, allowances.eventsPerSecond),
    pendingLinks: pending,
    hello: {
      ...deps,
      consoleKey,
      guard: openFloodGuard(clock),
      admitsHello: openHelloRate(clock, allowances.hellos),
    },
    register(nodeId, session, connection) {
      halfOpen.remove(connection)
      registry.add(nodeId, session)
    },
    unregister: registry.remove,
  })
  const refusals = windowCounter<'all'>(REFUSALS_LOGGED, 60_000)
  let isStopping = false

  function upgrade(
    admission: Pick<Admission, 'admitLink'>,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void {
    socket.on('error', () => socket.destroy())
    const path = (request.url ?? '').split('?')[0]
    if (path !== PATH) return refuseUpgrade(socket, 404)
    const forwarded = request.headers['x-forwarded-for']?.toString()
    const address = clientAddress(request.socket.remoteAddress ?? '', forwarded, trusted)
    const isFull = !halfOpen.admits(address) || !handshakes.admits(address)
    if (isStopping || isFull || !admission.admitLink(request.socket)) {
      if (refusals.count('all', clock.now()) <= REFUSALS_LOGGED.max)
        log.warn({ address, halfOpen: halfOpen.count() }, 'link refused')
      else REFUSALS_LOGGED.hit()
      return refuseUpgrade(socket, 503)
    }
    request.socket.setNoDelay(true)
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      openConnection({ socket: webSocket, address, staticKey: consoleKey, world, log }, (connection) => {
        halfOpen.add(connection)
        const session = birdSession(connection, effects(connection), clock, log)
        return {
          receive: session.receive,
          closed() {
            halfOpen.remove(connection)
            pending.remove(connection)
            session.closed()
          },
        }
      })
    })
  }

  return {
    attach(server, admission) {
      // Only what we know is an upgrade: `Upgrade: h2c` of an API client is served as plain HTTP.
      const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
        headers.upgrade?.toLowerCase() === 'websocket'
      Object.assign(server, { shouldUpgradeCallback })
      server.on('upgrade', (request, socket, head) => upgrade(admission, request, socket, head))
    },
    wake: registry.wake,
    count: registry.count,
    async stop() {
      isStopping = true
      await registry.stop()
      halfOpen.closeAll('the console is stopping')
      await heartbeats.stop()
      await allClosed(sockets)
    },
  }
}

/** Waits until every connection has ended; those that take too long are cut off. */
async function allClosed(sockets: WebSocketServer): Promise<void> {
  const cut = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate()
  }, STOPPING_MS)
  await Promise.all([...sockets.clients].map((socket) => new Promise((done) => socket.once('close', done))))
  clearTimeout(cut)
  sockets.close()
}

function refuseUpgrade(socket: Duplex, status: 404 | 503): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
