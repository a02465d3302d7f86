// A TCP port: limits its connections and hands each socket to a session.
import { createServer, type Server, type Socket } from 'node:net'
import type { Listener } from '../session.ts'
import type { BoundPort } from './bound-port.ts'
import { serveConnection } from './connection.ts'
import { normalizeAddress, type HostContext } from './host-context.ts'
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
  const { connections } = host
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    accept(socket, server, boundPort.listener, host),
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
      await Promise.all([destroyAll(connections.ofPort(server)), stopped])
    },
  }
  return boundPort
}

/** Serves the connection, or refuses it as the server that the decoy claims. */
function accept(socket: Socket, server: Server, listener: Listener, host: HostContext): void {
  const { connections, stats } = host
  const { remoteAddress, remotePort = -1 } = socket
  // The peer has gone already, and its address with it.
  if (!remoteAddress) return void socket.destroy()
  const endpoints = {
    instance: listener.instance,
    src: { host: normalizeAddress(remoteAddress), port: remotePort },
    dst: { host: normalizeAddress(socket.localAddress), port: listener.port },
  }
  host.connected(endpoints.src, endpoints.dst)
  const source = sourceOf(endpoints.src.host)
  const refusal = listener.crowd?.refusal({
    address: endpoints.src.host,
    source,
    open: connections.count(server, source),
    now: host.clock.now(),
    random: host.random,
  })
  const admission =
    refusal === undefined
      ? connections.admit(socket, server, source)
      : { isAdmitted: false, evicted: undefined }
  admission.evicted?.destroy()
  if (!admission.isAdmitted) {
    stats.refused += 1
    refuse(socket, refusal ?? listener.crowd?.full)
    return host.silent({ ...endpoints, isRefused: true })
  }
  stats.accepted += 1
  socket.once('close', () => connections.remove(socket))
  watchSilence(socket, host, (raise) => {
    serveConnection(socket, listener, { ...host, raise })
    return (hasSpoken) => {
      // What a tool repeats because of our close is one touch with what was reported before.
      if (!hasSpoken || !host.isReported(listener.instance, source))
        host.silent({ ...endpoints, isRefused: false })
    }
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
    if (events.length > 0) settle()
    host.raise(events, listener, context)
  })
  // Behind the session's own handler, which may raise events.
  socket.once('close', note)
}

/** Nothing to say: as behind a full backlog. */
function refuse(socket: Socket, text: string | Buffer | undefined): void {
  socket.on('error', () => {})
  if (text === undefined) return void socket.resetAndDestroy()
  // As a server's close(2): behind the text a FIN, or a RST if the peer has sent something.
  socket.end(text, () => socket.destroy())
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
