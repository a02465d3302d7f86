// Where Birds call: WebSockets at /bird/v1/link of the console's own HTTP server.
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { MAX_FRAME_BYTES } from '@rookery/link/frames.ts'
import type { Base } from '../../base.ts'
import type { Ingest } from '../../flows/ingest/ingest.ts'
import { clientAddress } from '../../net/client-address.ts'
import type { Ranges } from '../../net/ranges.ts'
import { openBeats } from './beats.ts'
import { openConsoleKey } from './console-key.ts'
import { openFloodGuard } from './flood-guard.ts'
import { openHub } from './hub.ts'
import { openLine, type Line } from './line.ts'
import { talk } from './talk.ts'

export interface LinkChannel {
  /** Answers the link's path on this server; every other upgrade is turned away. */
  attach(server: Server): void
  /** Something was committed that links may have to hear of. */
  kick(): void
  /** Birds on the line. */
  count(): number
  stop(): Promise<void>
}

export interface LinkServing extends Pick<Base, 'reader' | 'writer' | 'vault' | 'world'> {
  readonly ingest: Pick<Ingest, 'fromBird'>
  readonly log: Logger
  readonly trusted: Ranges
  /** A Bird whose outage was told is back. */
  readonly returned: () => void
}

const PATH = '/bird/v1/link'
/** A message of the session is a frame and its 16-byte tag. */
const MAX_MESSAGE_BYTES = MAX_FRAME_BYTES + 16
/** Connections that have not said HELLO yet. */
const MOST_HALF_OPEN = 2_000
const MOST_HALF_OPEN_OF_ONE = 200
const STOPPING_MS = 1_000

export async function openLink(serving: LinkServing): Promise<LinkChannel> {
  const { reader, writer, world, trusted } = serving
  const log = serving.log.child({ part: 'link' })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const hub = await openHub(reader, world.clock, log)
  const beats = openBeats(writer, world.clock, log)
  const consoleKey = await openConsoleKey(serving)
  const greeter = { ...serving, consoleKey, guard: openFloodGuard(world.clock) }
  const halfOpen = new Map<Line, string>()
  let isStopping = false

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const path = (request.url ?? '').split('?')[0]
    if (path !== PATH) return turnAway(socket, 404)
    const forwarded = request.headers['x-forwarded-for']?.toString()
    const address = clientAddress(request.socket.remoteAddress ?? '', forwarded, trusted)
    if (isStopping || isCrowded(address)) {
      log.warn({ address, halfOpen: halfOpen.size }, 'link turned away')
      return turnAway(socket, 503)
    }
    request.socket.setNoDelay(true)
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      openLine({ socket: webSocket, address, staticKey: consoleKey, world, log }, (line) => {
        halfOpen.set(line, address)
        const { heard, closed } = talk(line, {
          ...serving,
          log,
          greeter,
          beats,
          arrived(nodeId, arrived) {
            halfOpen.delete(line)
            hub.arrived(nodeId, arrived)
          },
          left: hub.left,
        })
        return {
          heard,
          closed() {
            halfOpen.delete(line)
            closed()
          },
        }
      })
    })
  }

  function isCrowded(address: string): boolean {
    if (halfOpen.size >= MOST_HALF_OPEN) return true
    if (halfOpen.size < MOST_HALF_OPEN_OF_ONE) return false
    let own = 0
    for (const other of halfOpen.values()) if (other === address) own++
    return own >= MOST_HALF_OPEN_OF_ONE
  }

  return {
    attach(server) {
      // Only what we know is an upgrade: `Upgrade: h2c` of an API client is served as plain HTTP.
      const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
        headers.upgrade?.toLowerCase() === 'websocket'
      Object.assign(server, { shouldUpgradeCallback })
      server.on('upgrade', upgrade)
    },
    kick: hub.kick,
    count: hub.count,
    async stop() {
      isStopping = true
      hub.stop()
      for (const { line } of [...hub.talks()]) {
        line.say({ kind: 'GOODBYE', body: { reason: 'the console is stopping' } })
        line.close('the console is stopping')
      }
      for (const line of [...halfOpen.keys()]) line.close('the console is stopping')
      await beats.stop()
      await gone()
    },
  }

  /** Waits until every connection has ended; whoever takes too long is cut off. */
  async function gone(): Promise<void> {
    const cut = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate()
    }, STOPPING_MS)
    await Promise.all([...sockets.clients].map((socket) => new Promise((done) => socket.once('close', done))))
    clearTimeout(cut)
    sockets.close()
  }
}

function turnAway(socket: Duplex, status: 404 | 503): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
