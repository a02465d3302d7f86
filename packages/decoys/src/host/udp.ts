// A UDP port: each datagram gets a session of its own, so that spoofed sources leave no state behind.
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Listener, Reply } from '../session.ts'
import type { BoundPort } from './bound-port.ts'
import { normalizeAddress, type HostContext } from './host-context.ts'
import type { Endpoint } from './host-touch.ts'
import { isWildcard, localAddresses } from './local-addresses.ts'

/** Delayed answers that may wait at a time. Beyond it an answer is dropped, as UDP may drop it anyway. */
const MAX_DELAYED = 1_000

/**
 * Binds the port; rejects with the system's error. For a wildcard each address of the machine gets a socket of its own, so
 * that an answer leaves from the address that was asked. Addresses that come later are not served.
 */
export async function bindUdp(
  bind: string,
  port: number,
  listener: Listener,
  host: HostContext,
): Promise<BoundPort> {
  const boundPort = { port, listener, close: () => closeAll(sockets) }
  const sockets: OpenSocket[] = []
  try {
    for (const address of isWildcard(bind) ? localAddresses(bind) : [bind]) {
      const opened = await openSocket(address, boundPort, host)
      sockets.push(opened)
      // The system chose it for the first address; the others follow.
      boundPort.port = opened.port
    }
  } catch (error) {
    await closeAll(sockets)
    throw error
  }
  return boundPort
}

interface OpenSocket {
  readonly port: number
  readonly close: () => Promise<void>
}

const closeAll = async (sockets: readonly OpenSocket[]): Promise<void> =>
  void (await Promise.all(sockets.map((socket) => socket.close())))

async function openSocket(
  address: string,
  boundPort: Pick<BoundPort, 'port' | 'listener'>,
  host: HostContext,
): Promise<OpenSocket> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' })
  await bindSocket(socket, address, boundPort.port)
  socket.on('error', (error) => host.recordError(error))
  const sender = delayedSender(socket, host.clock)
  socket.on('message', (bytes, { address: from, port: srcPort }) => {
    host.stats.datagrams += 1
    const { listener } = boundPort
    const dst = { host: normalizeAddress(address), port: listener.port }
    try {
      answerDatagram(bytes, { host: from, port: srcPort }, dst, listener, host, sender.send)
    } catch (error) {
      host.recordError(error)
    }
  })
  return {
    port: socket.address().port,
    close: () =>
      new Promise((resolve) => {
        sender.stop()
        socket.close(() => resolve())
      }),
  }
}

const bindSocket = (socket: Socket, address: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off('error', reject)
      resolve()
    })
  })

/** Runs a whole session on one datagram. `peer` keeps its address as the system spells it, for the answer. */
function answerDatagram(
  bytes: Buffer,
  peer: Endpoint,
  dst: Endpoint,
  listener: Listener,
  host: HostContext,
  send: (reply: Reply, to: Endpoint) => void,
): void {
  const context = host.sessionContext({ host: normalizeAddress(peer.host), port: peer.port }, dst)
  const session = listener.startSession(context)
  let replies: readonly Reply[] = [session.open(), ...session.receive(bytes)]
  for (;;) {
    for (const { events } of replies) if (events) host.raise(events, listener, context)
    for (const reply of replies) {
      if (reply.error !== undefined) host.recordError(reply.error)
      send(reply, peer)
    }
    if (!session.hasMore) break
    replies = session.resume()
  }
  host.raise(session.closed(), listener, context)
}

/** Sends datagrams, those with a delay later; `stop` drops the delayed ones. */
function delayedSender(socket: Socket, clock: Clock) {
  const cancels = new Set<() => void>()
  return {
    send({ send: bytes, delayMs }: Reply, to: Endpoint): void {
      if (!bytes || to.port === 0) return
      // An unreachable peer is not our error: the callback ignores it.
      const transmit = (): void => socket.send(bytes, to.port, to.host, () => {})
      if (!delayMs) return transmit()
      if (cancels.size >= MAX_DELAYED) return
      const cancel = clock.after(delayMs, () => {
        cancels.delete(cancel)
        transmit()
      })
      cancels.add(cancel)
    },
    stop(): void {
      for (const cancel of cancels) cancel()
      cancels.clear()
    },
  }
}
