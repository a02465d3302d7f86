// A TCP port: counts its visitors and hands each a connection.
import { createServer, type Socket } from 'node:net'
import type { Listener } from '../session.ts'
import { serve } from './connection.ts'
import type { Door } from './door.ts'
import { plainAddress, type House } from './house.ts'

/** Binds the port; rejects with the system's error. */
export async function openTcp(bind: string, port: number, listener: Listener, house: House): Promise<Door> {
  const { limits, stats } = house
  const sockets = new Set<Socket>()
  const bySource = new Map<string, number>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const source = plainAddress(socket.remoteAddress)
    const count = bySource.get(source) ?? 0
    // The peer may be gone before we look (no address then); over a cap it meets a reset, as behind a full backlog.
    if (!source || count >= limits.perSource || sockets.size >= limits.perService) {
      stats.refused += 1
      socket.on('error', () => {})
      socket.resetAndDestroy()
      return
    }
    stats.accepted += 1
    sockets.add(socket)
    bySource.set(source, count + 1)
    socket.once('close', () => {
      sockets.delete(socket)
      const left = (bySource.get(source) ?? 1) - 1
      if (left > 0) bySource.set(source, left)
      else bySource.delete(source)
    })
    serve(socket, door.listener, house)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: bind, port, backlog: 511 }, () => {
      server.off('error', reject)
      // A failing accept (no descriptors left) must not end the process.
      server.on('error', (error) => house.thrown(error))
      resolve()
    })
  })
  const address = server.address()
  const door: Door = {
    port: address && typeof address === 'object' ? address.port : port,
    listener,
    async close() {
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all([new Promise((resolve) => server.close(resolve)), ...closed])
    },
  }
  return door
}
