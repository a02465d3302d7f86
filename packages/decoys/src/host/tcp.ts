// A TCP port: limits its connections and hands each socket to a session.
import { createServer, type Server, type Socket } from 'node:net'
import type { Listener } from '../session/session.ts'
import type { BoundPort } from './bound-port.ts'
import { serveConnection } from './connection/connection.ts'
import { normalizeAddress, type HostContext } from './host-context.ts'
import { peerOf } from './peer.ts'
import type { SilentConnection } from './silence/silent-sources.ts'
import { sourceOf } from './source.ts'

/** Connections that the kernel queues before we accept them; Node's default, and that of Apache, nginx and Redis. */
const BACKLOG = 511

/** Binds the port; rejects with the system's error. */
export async function bindTcp(
  bind: string,
  port: number,
  listener: Listener,
  host: HostContext,
): Promise<BoundPort> {
  const { connections, waiting } = host
  // Paused: a connection for which there is no room waits unread.
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (socket) =>
    accept(socket, server, boundPort, host),
  )
  await listen(server, bind, port)
  // A failing accept (no descriptors left) must not end the process.
  server.on('error', (error) => host.recordError(error))
  const address = server.address()
  const boundPort: BoundPort = {
    port: address && typeof address === 'object' ? address.port : port,
    listener,
    close: async () => {
      const stopped = new Promise((resolve) => server.close(resolve))
      await Promise.all([destroyAll([...waiting.ofPort(server), ...connections.ofPort(server)]), stopped])
    },
  }
  return boundPort
}

interface Arrival {
  readonly socket: Socket
  readonly server: Server
  readonly source: string
  readonly endpoints: Pick<SilentConnection, 'instance' | 'src' | 'dst'>
  readonly boundPort: Pick<BoundPort, 'listener'>
}

/** Serves the connection, refuses it as the server that the decoy claims, or lets it wait. */
function accept(socket: Socket, server: Server, boundPort: BoundPort, host: HostContext): void {
  const { listener } = boundPort
  const { crowd, instance } = listener
  const src = peerOf(socket)
  // The peer has gone already, and its address with it.
  if (!src) return void socket.destroy()
  const dst = { host: normalizeAddress(socket.localAddress), port: listener.port }
  host.connected(src, dst)
  const source = sourceOf(src.host)
  const arrival: Arrival = { socket, server, source, endpoints: { instance, src, dst }, boundPort }
  const refusal = crowd?.refusal({
    address: src.host,
    source,
    open: host.connections.count(server, source),
    now: host.clock.now(),
    random: host.random,
  })
  if (refusal !== undefined) return refuse(arrival, refusal, host)
  if (crowd && !enter(arrival, host)) return refuse(arrival, crowd.full, host)
  // A source that brings too many does not push out its own: a server would serve them one after another.
  if (!crowd && !enter(arrival, host, source)) waitForRoom(arrival, host)
}

/** Those that left for another one: what they said and did not finish is a touch of its own. */
const givenUp = new WeakSet<Socket>()

/** Serves the connection if there is room for it. No connection of the `spared` source leaves for it. */
function enter(arrival: Arrival, host: HostContext, spared?: string): boolean {
  const { socket, server, source } = arrival
  if (socket.destroyed) return false
  const { isAdmitted, evicted } = host.connections.admit(socket, server, source, spared)
  if (evicted) {
    givenUp.add(evicted)
    evicted.destroy()
  }
  if (isAdmitted) serve(arrival, host)
  return isAdmitted
}

function serve({ socket, source, endpoints, boundPort }: Arrival, host: HostContext): void {
  const { listener } = boundPort
  host.stats.accepted += 1
  socket.once('close', () => host.connections.remove(socket))
  socket.resume()
  watchSilence(socket, host, (raise) => {
    serveConnection(socket, endpoints, listener, { ...host, raise })
    return (hasSpoken) => {
      if (listener.isSilenceUsual) return
      // What a tool repeats because of our close is one touch with what was reported before.
      if (!hasSpoken || givenUp.has(socket) || !host.isReported(listener.instance, source))
        host.silent({ ...endpoints, isRefused: false })
    }
  })
}

/** After `silenceMs` it is reported, unless there is room by then, be it that of another one of its source. */
function waitForRoom(arrival: Arrival, host: HostContext): void {
  const { socket, server, source, endpoints } = arrival
  const { clock, limits, stats, waiting } = host
  const report = (): void => {
    stats.refused += 1
    host.silent({ ...endpoints, isRefused: true })
  }
  let isReported = false
  const leave = (): void => {
    settle()
    waiting.remove(socket)
    if (!isReported) report()
  }
  const cancel = clock.after(limits.silenceMs, () => {
    if (entered()) return waiting.remove(socket)
    isReported = true
    report()
  })
  const settle = (): void => {
    cancel()
    socket.off('close', leave)
    stats.waiting -= 1
  }
  const entered = (spared?: string): boolean => {
    const isServed = enter(arrival, host, spared)
    if (isServed) settle()
    return isServed
  }
  stats.waiting += 1
  socket.on('error', () => {})
  socket.once('close', leave)
  waiting.join(socket, server, source, {
    enter: () => entered(source),
    turnAway: () => void socket.resetAndDestroy(),
  })
}

/** Calls what `serve` answers when the session raises no event: when the peer says nothing for long, or else at the close. */
function watchSilence(
  socket: Socket,
  host: HostContext,
  serve: (raise: HostContext['raise']) => (hasSpoken: boolean) => void,
): void {
  let isNoted = false
  let hasSpoken = false
  const cancel = host.clock.after(host.limits.silenceMs, () => note())
  const settle = (): void => {
    isNoted = true
    cancel()
  }
  const note = (): void => {
    if (isNoted) return
    settle()
    report(hasSpoken)
  }
  socket.once('data', () => {
    host.connections.spoke(socket)
    hasSpoken = true
    cancel()
  })
  const report = serve((events, listener, context) => {
    if (events.length > 0) {
      settle()
      host.connections.raised(socket)
    }
    host.raise(events, listener, context)
  })
  // Behind the session's own handler, which may raise events.
  socket.once('close', note)
}

function refuse({ socket, endpoints }: Arrival, text: string | Buffer, host: HostContext): void {
  host.stats.refused += 1
  socket.on('error', () => {})
  // As a server's close(2): behind the text a FIN, or a RST if the peer has sent something.
  socket.end(text, () => socket.destroy())
  host.silent({ ...endpoints, isRefused: true })
}

async function destroyAll(sockets: readonly Socket[]): Promise<void> {
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
}

const listen = (server: Server, bind: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: bind, port, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
