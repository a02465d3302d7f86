// Connections of load balancers that begin with a PROXY header: nothing else sees one before its header has come whole. From
// these addresses a header is asked for, and from all others none is read: a client that could choose would name another.
import type { Server, Socket } from 'node:net'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import { DIRECT, type ConnectionClients } from '../../../admission/connection-clients.ts'
import type { Ranges } from '../../../addresses/ranges.ts'
import { openInbox } from '../inbox.ts'
import { readProxyHeader } from './read-proxy-header.ts'

export interface ProxiedConnections extends ConnectionClients {
  /** Holds the server's connections back until their headers have come; call it after all that listens to them. */
  guard(server: Server): void
  /** Closes those that are held back. */
  stop(): void
}

export interface ProxiedConnectionsDeps {
  readonly clock: Clock
  readonly log: Logger
  /** Whose connections begin with a header; undefined where nobody's do. */
  readonly balancers: Ranges | undefined
  /** Connections that are held back at one time. */
  readonly bound?: Limit
}

/** Connections of load balancers whose PROXY header has not come; the oldest makes room for a new one. */
const WAITING = limit('proxy_headers_awaited', 1_000)
/** Lines a minute on connections of load balancers that were closed for their header. */
const LOGGED = limit('proxy_header_refusals_logged', 5)
/** A lost packet is sent again after three seconds at the most (section 2). */
const HEADER_MS = 5_000
const MINUTE_MS = 60_000

export function openProxiedConnections({
  clock,
  log,
  balancers,
  bound = WAITING,
}: ProxiedConnectionsDeps): ProxiedConnections {
  if (balancers === undefined) return { ...DIRECT, guard: () => undefined, stop: () => undefined }
  const headers = new WeakMap<Socket, { readonly client: string | undefined; readonly bytes: number }>()
  const waiting = new Set<Socket>()
  const logged = windowCounter<'all'>(LOGGED, MINUTE_MS)

  function refuse(socket: Socket, reason: string): void {
    if (logged.count('all', clock.now()) > LOGGED.max) LOGGED.hit()
    else
      log.warn(
        { balancer: DIRECT.clientOf(socket), reason },
        'connection of a load balancer closed: its PROXY header cannot be used',
      )
    socket.destroy()
  }

  function makeRoom(): void {
    const [oldest] = waiting
    if (waiting.size < bound.max || !oldest) return
    bound.hit()
    oldest.destroy()
    waiting.delete(oldest)
  }

  /** Calls `pass` once the header is there; what follows it waits with the socket. */
  function awaitHeader(socket: Socket, pass: () => void): void {
    const inbox = openInbox()
    makeRoom()
    waiting.add(socket)
    const fail = (): void => void socket.destroy()
    const cancel = clock.after(HEADER_MS, () => {
      settle()
      refuse(socket, `it has not come within ${HEADER_MS / 1_000} s`)
    })
    const settle = (): void => {
      cancel()
      waiting.delete(socket)
      socket.off('data', take).off('end', fail).off('error', fail).off('close', settle)
    }
    const take = (bytes: Buffer): void => {
      inbox.add(bytes)
      const received = inbox.whole(1) ?? bytes
      const header = readProxyHeader(received)
      if (header.name === 'incomplete') return
      settle()
      if (header.name === 'refused') {
        socket.on('error', fail)
        return refuse(socket, header.reason)
      }
      headers.set(socket, header)
      socket.pause()
      if (received.length > header.bytes) socket.unshift(received.subarray(header.bytes))
      pass()
      if (!socket.destroyed) socket.resume()
    }
    socket.on('data', take).once('end', fail).on('error', fail).once('close', settle)
  }

  return {
    clientOf: (socket) => headers.get(socket)?.client ?? DIRECT.clientOf(socket),
    bytesBefore: (socket) => headers.get(socket)?.bytes ?? 0,
    guard(server) {
      const listeners = server.listeners('connection')
      server.removeAllListeners('connection')
      server.on('connection', (socket: Socket) => {
        const pass = (): void => {
          for (const listener of listeners) Reflect.apply(listener, server, [socket])
        }
        if (balancers.has(DIRECT.clientOf(socket))) awaitHeader(socket, pass)
        else pass()
      })
    },
    stop() {
      for (const socket of waiting) socket.destroy()
    },
  }
}
