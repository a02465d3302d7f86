// A UDP port: each datagram gets a session of its own, so that spoofed sources leave no state behind.
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Listener, Reply } from '../session.ts'
import type { BoundPort } from './bound-port.ts'
import { normalizeAddress, type HostContext } from './host-context.ts'
import type { Endpoint } from './host-touch.ts'

/** Delayed answers that may wait at a time. Beyond it an answer is dropped, as UDP may drop it anyway. */
const MAX_DELAYED = 1_000

/** Binds the port; rejects with the system's error. */
export async function bindUdp(
  bind: string,
  port: number,
  listener: Listener,
  host: HostContext,
): Promise<BoundPort> {
  const socket = createSocket({ type: isIPv6(bind) ? 'udp6' : 'udp4' })
  await bindSocket(socket, bind, port)
  socket.on('error', (error) => host.recordError(error))
  const sender = delayedSender(socket, host.clock)
  socket.on('message', (bytes, { address, port: srcPort }) => {
    host.stats.datagrams += 1
    const dst = {
      host: normalizeAddress(socket.address().address),
      port: boundPort.listener.port,
    }
    try {
      answerDatagram(bytes, { host: address, port: srcPort }, dst, boundPort.listener, host, sender.send)
    } catch (error) {
      host.recordError(error)
    }
  })
  const boundPort: BoundPort = {
    port: socket.address().port,
    listener,
    close: () =>
      new Promise((resolve) => {
        sender.stop()
        socket.close(() => resolve())
      }),
  }
  return boundPort
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
