// A TCP port: limits its connections and hands each socket to a session.
import { createServer, type Server, type Socket } from 'node:net'
import type { Listener } from '../session.ts'
import type { BoundPort } from './bound-port.ts'
import { serveConnection } from './connection.ts'
import { normalizeAddress, type HostContext } from './host-context.ts'
import type { HostLimits } from './limits.ts'

/** Connections that the kernel queues before we accept them; Node's default, and that of Apache, nginx and Redis. */
const BACKLOG = 511

/** Binds the port; rejects with the system's error. */
export async function bindTcp(
  bind: string,
  port: number,
  listener: Listener,
  host: HostContext,
): Promise<BoundPort> {
  const { limits, stats } = host
  const connections = connectionTable(limits)
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (!connections.admit(socket)) {
      stats.refused += 1
      socket.on('error', () => {})
      // As behind a full backlog.
      socket.resetAndDestroy()
      return
    }
    stats.accepted += 1
    serveConnection(socket, boundPort.listener, host)
  })
  await listen(server, bind, port)
  // A failing accept (no descriptors left) must not end the process.
  server.on('error', (error) => host.recordError(error))
  const address = server.address()
  const boundPort: BoundPort = {
    port: address && typeof address === 'object' ? address.port : port,
    listener,
    close: async () => {
      const stopped = new Promise((resolve) => server.close(resolve))
      await Promise.all([connections.destroyAll(), stopped])
    },
  }
  return boundPort
}

const listen = (server: Server, bind: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: bind, port, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** The open connections of one port, counted by source address. */
function connectionTable({ perSource, perService }: HostLimits) {
  const sockets = new Set<Socket>()
  const countBySource = new Map<string, number>()
  return {
    /** False when a limit is reached, or when the peer has gone already and its address with it. */
    admit(socket: Socket): boolean {
      const source = normalizeAddress(socket.remoteAddress)
      const count = countBySource.get(source) ?? 0
      if (!source || count >= perSource || sockets.size >= perService) return false
      sockets.add(socket)
      countBySource.set(source, count + 1)
      socket.once('close', () => {
        sockets.delete(socket)
        const left = (countBySource.get(source) ?? 1) - 1
        if (left > 0) countBySource.set(source, left)
        else countBySource.delete(source)
      })
      return true
    },
    async destroyAll(): Promise<void> {
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}
