// Queries by TCP (RFC 7766): several on one connection, each after its length, answered in any order.
import { createServer, type Server, type Socket } from 'node:net'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import type { World } from '@rookery/kernel/world.ts'
import { readFrames, writeFrame } from '@rookery/tokens/channels/dns/frames.ts'
import type { Logger } from 'pino'
import { admit } from '../../net/admission.ts'
import { plainAddress, type Ranges } from '../../net/ranges.ts'
import type { Answerer } from './answerer.ts'

/** Connections to the DNS server at one time. */
const CONNECTIONS = limit('dns_connections', 1_000)
/** Queries of one connection that wait for their answers. */
const PIPELINED = limit('dns_queries_per_connection', 100)
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
  /** Connections of the listener. */
  readonly bound?: Limit
}

export interface DnsTcpServer {
  readonly server: Server
  stop(): Promise<void>
}

export function dnsTcpServer(
  answer: Answerer,
  { world, log, trusted, perSource, bound = CONNECTIONS }: DnsTcpDeps,
): DnsTcpServer {
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    // Refused at its arrival.
    if (socket.destroyed) return
    socket.on('error', () => undefined)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    converse(socket, answer)
  })
  // Queries are recorded before they are answered, so that a connection that makes room takes no touch with it.
  admit(server, { bound, perSource, trusted, clock: world.clock, log })
  return {
    server,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Reads the queries of one connection; while too many wait for their answers, it reads no more. */
function converse(socket: Socket, answer: Answerer): void {
  const asked = {
    transport: 'tcp',
    srcHost: plainAddress(socket.remoteAddress ?? ''),
    dstHost: plainAddress(socket.localAddress ?? ''),
  } as const
  let rest: Buffer = Buffer.alloc(0)
  let waiting = 0
  socket.setTimeout(IDLE_MS, () => socket.destroy())
  const lifetime = setTimeout(() => socket.destroy(), LIFETIME_MS).unref()
  socket.once('close', () => clearTimeout(lifetime))

  socket.on('data', (bytes) => {
    const read = readFrames(rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes)
    rest = read.rest
    for (const message of read.messages) ask(message)
    if (read.isBroken) socket.destroy()
  })

  function ask(message: Buffer): void {
    let isAnswered = false
    waiting++
    answer(message, asked, (reply) => {
      isAnswered = true
      waiting--
      if (socket.writable) socket.write(writeFrame(reply))
      if (waiting < PIPELINED.max && socket.isPaused()) socket.resume()
    })
    if (isAnswered || waiting < PIPELINED.max || socket.isPaused()) return
    PIPELINED.hit()
    socket.pause()
  }
}
