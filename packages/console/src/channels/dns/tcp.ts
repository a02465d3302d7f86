// Queries by TCP (RFC 7766): several on one connection, each after its length, answered in any order.
import { createServer, type Server, type Socket } from 'node:net'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import { windowCounter, type WindowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock, World } from '@rookery/kernel/world.ts'
import { readFrames, writeFrame } from '@rookery/tokens/channels/dns/frames.ts'
import type { Logger } from 'pino'
import { admit, type Admission } from '../../admission/admission.ts'
import { plainAddress, type Ranges } from '../../addresses/ranges.ts'
import type { Answerer } from './answerer.ts'
import { resolverNetwork } from './resolver-network.ts'

/** Connections to the DNS server at one time. */
const CONNECTIONS = limit('dns_connections', 1_000)
/** Queries of one connection that wait for their answers. */
const PIPELINED = limit('dns_queries_per_connection', 100)
/** Answers that a client has not taken; beyond it no more is read of its connection. */
const UNSENT_BYTES = limit('dns_bytes_unsent', 64 * 1024)
/** Networks (IPv4 /24, IPv6 /56) whose queries by TCP are counted. */
const NETWORKS = limit('dns_tcp_networks', 10_000)
const SECOND_MS = 1_000
const IDLE_MS = 10_000
/** However it is used: a slow client must not hold a place for ever. */
const LIFETIME_MS = 60_000

export interface DnsTcpDeps {
  readonly world: Pick<World, 'clock'>
  readonly log: Logger
  /** Load balancers: one address of many clients. */
  readonly trusted: Ranges
  /** Connections of one source. */
  readonly perSource: Limit
  /** Queries of one network within a second; beyond them its connections wait. */
  readonly perNetwork: Limit
  /** Connections of the listener. */
  readonly bound?: Limit
  /** A connection of this address was refused. */
  readonly onRefused?: (address: string) => void
}

export interface DnsTcpServer {
  readonly server: Server
  stop(): Promise<void>
}

export function dnsTcpServer(
  answer: Answerer,
  { world, log, trusted, perSource, perNetwork, bound = CONNECTIONS, onRefused }: DnsTcpDeps,
): DnsTcpServer {
  const open = new Set<Socket>()
  const rate = { clock: world.clock, recent: windowCounter<string>(NETWORKS, SECOND_MS), perNetwork }
  const server = createServer({ noDelay: true }, (socket) => {
    // Refused at its arrival.
    if (socket.destroyed) return
    socket.on('error', () => undefined)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    converse(socket, answer, { ...rate, admission })
  })
  const admission = admit(server, {
    bound,
    perSource,
    trusted,
    clock: world.clock,
    log,
    ...(onRefused && { onRefused }),
  })
  return {
    server,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

interface Conversation {
  readonly clock: Clock
  readonly recent: WindowCounter<string>
  readonly perNetwork: Limit
  readonly admission: Pick<Admission, 'noteRequest' | 'noteAnswered'>
}

/** Asks the queries of one connection in turn; while it may ask no more, nothing is read. */
function converse(
  socket: Socket,
  answer: Answerer,
  { clock, recent, perNetwork, admission }: Conversation,
): void {
  const asked = {
    transport: 'tcp',
    srcHost: plainAddress(socket.remoteAddress ?? ''),
    dstHost: plainAddress(socket.localAddress ?? ''),
  } as const
  const network = resolverNetwork(asked.srcHost)
  let received: Buffer = Buffer.alloc(0)
  let waiting = 0
  let isAsking = false
  let cancelWait = (): void => undefined
  socket.setTimeout(IDLE_MS, () => socket.destroy())
  const lifetime = setTimeout(() => socket.destroy(), LIFETIME_MS).unref()
  socket.once('close', () => {
    clearTimeout(lifetime)
    cancelWait()
  })
  socket.on('drain', askOn)
  socket.on('data', (bytes) => {
    received = received.length > 0 ? Buffer.concat([received, bytes]) : bytes
    askOn()
  })

  function askOn(): void {
    if (isAsking || socket.destroyed) return
    isAsking = true
    // The answers of one turn leave in one packet.
    socket.cork()
    for (;;) {
      const { messages, rest, isBroken } = readFrames(received, 1)
      const [message] = messages
      if (isBroken) socket.destroy()
      if (message === undefined) socket.resume()
      if (message === undefined || mustWait()) break
      received = rest
      ask(message)
    }
    socket.uncork()
    isAsking = false
  }

  /** A reply, a reader and a timer ask on. */
  function mustWait(): boolean {
    const met = boundMet()
    if (met === undefined) return false
    met.hit()
    socket.pause()
    const now = clock.now()
    cancelWait()
    if (met === perNetwork) cancelWait = clock.after(recent.endsAt(network, now) - now, askOn)
    return true
  }

  function boundMet(): Limit | undefined {
    if (waiting >= PIPELINED.max) return PIPELINED
    if (socket.writableLength > UNSENT_BYTES.max) return UNSENT_BYTES
    return recent.peek(network, clock.now()) >= perNetwork.max ? perNetwork : undefined
  }

  function ask(message: Buffer): void {
    recent.count(network, clock.now())
    waiting++
    admission.noteRequest(socket)
    answer(message, asked, (reply) => {
      waiting--
      if (socket.writable) socket.write(writeFrame(reply))
      if (waiting === 0) admission.noteAnswered(socket)
      askOn()
    })
  }
}
