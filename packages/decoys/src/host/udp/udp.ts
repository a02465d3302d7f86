// A UDP port: each datagram gets a session of its own, so that spoofed sources leave no state behind.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Clock } from '@rookery/kernel/world.ts'
import type { DecoyEvent, Listener, Reply, SessionContext } from '../../session/session.ts'
import { answerGate } from './answer-gate.ts'
import type { BoundPort } from '../bound-port.ts'
import { startConversation, type ConversationStart } from './conversations.ts'
import { normalizeAddress, type HostContext } from '../host-context.ts'
import type { Endpoint } from '../host-touch.ts'
import { isWildcard, localAddresses } from './local-addresses.ts'
import type { SilentConnection } from '../silence/silent-sources.ts'
import { sourceOf } from '../source.ts'

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
  const boundPort: DatagramPort = {
    port,
    listener,
    gate: answerGate(host.limits),
    waitingBytes: 0,
    close: async () => {
      await closeAll(sockets)
      for (const conversation of host.conversations.ofPort(boundPort)) conversation.end()
    },
  }
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

/** All addresses of a port share what may be answered. */
interface DatagramPort extends BoundPort {
  port: number
  /** Of datagrams that wait for their share of a turn. */
  waitingBytes: number
  readonly gate: ReturnType<typeof answerGate>
}

interface OpenSocket {
  readonly port: number
  readonly close: () => Promise<void>
}

const closeAll = async (sockets: readonly OpenSocket[]): Promise<void> =>
  void (await Promise.all(sockets.map((socket) => socket.close())))

async function openSocket(address: string, boundPort: DatagramPort, host: HostContext): Promise<OpenSocket> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' })
  await bindSocket(socket, address, boundPort.port)
  socket.on('error', (error) => host.recordError(error))
  const sender = delayedSender(socket, host.clock)
  let isClosed = false
  const { datagramBytes } = host.limits
  socket.on('message', (bytes, from) => {
    host.stats.datagrams += 1
    if (boundPort.waitingBytes + bytes.length > datagramBytes.max) return datagramBytes.hit()
    boundPort.waitingBytes += bytes.length
    host.shares.take(boundPort.listener.instance, () => {
      boundPort.waitingBytes -= bytes.length
      if (!isClosed) receive(bytes, from)
    })
  })

  function receive(bytes: Buffer, { address: from, port: srcPort }: RemoteInfo): void {
    const { listener, gate } = boundPort
    const { instance, port, answerBytes } = listener
    const src = { host: normalizeAddress(from), port: srcPort }
    const source = sourceOf(src.host)
    // As the system spells it.
    const peer = { host: from, port: srcPort }
    const ask = () =>
      gate({
        source,
        bytes: bytes.length,
        at: host.clock.now(),
        ...(answerBytes !== undefined && { answerBytes }),
      })
    const datagram: Datagram = {
      bytes,
      source,
      endpoints: { instance, src, dst: { host: normalizeAddress(address), port } },
      mayAnswer: ask(),
      converse: (parts, replies) =>
        peer.port !== 0 &&
        startConversation(
          // Each repeat is an answer of its own.
          { ...parts, source, address, peer, mayAnswerStranger: (length) => ask()(length) },
          replies,
          boundPort,
          host,
        ),
    }
    try {
      answerDatagram(datagram, listener, host, (reply) => sender.send(reply, peer))
    } catch (error) {
      host.recordError(error)
    }
  }

  return {
    port: socket.address().port,
    close: () =>
      new Promise((resolve) => {
        isClosed = true
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

interface Datagram {
  readonly bytes: Buffer
  readonly source: string
  readonly endpoints: Omit<SilentConnection, 'isRefused'>
  readonly mayAnswer: (bytes: number) => boolean
  /** Goes on at a port of its own; false when there is no room. */
  readonly converse: (
    parts: Pick<ConversationStart, 'session' | 'listener' | 'context'>,
    replies: readonly Reply[],
  ) => boolean
}

/** Runs a whole session on one datagram, or begins a conversation with it. */
function answerDatagram(
  datagram: Datagram,
  listener: Listener,
  host: HostContext,
  send: (reply: Reply) => void,
): void {
  const { src, dst } = datagram.endpoints
  const context = host.sessionContext(src, dst)
  const session = listener.startSession(context)
  const replies = [session.open(), ...session.receive(datagram.bytes)]
  while (session.hasMore) replies.push(...session.resume())
  const events = replies.flatMap((reply) => reply.events ?? [])
  if (replies.some(({ from }) => from === 'fresh')) {
    report(datagram, events, listener, context, host)
    datagram.converse({ session, listener, context }, replies)
    return
  }
  report(datagram, [...events, ...session.closed()], listener, context, host)
  for (const reply of replies) {
    if (reply.error !== undefined) host.recordError(reply.error)
    for (const part of [reply, ...(reply.furtherWrites ?? [])])
      if (part.send?.length && datagram.mayAnswer(Buffer.byteLength(part.send))) send({ ...reply, ...part })
  }
}

/** Each datagram is a touch: its events are raised, or else it is counted in a report of its source. */
function report(
  { source, endpoints }: Datagram,
  events: readonly DecoyEvent[],
  listener: Listener,
  context: SessionContext,
  host: HostContext,
): void {
  const now = host.clock.now()
  if (events.length > 0 && host.datagrams.mayRaise(source, now)) return host.raise(events, listener, context)
  if (events.length === 0 && listener.isSilenceUsual) return
  // Without events, it says nothing new about a source that was just reported.
  if (events.length === 0 && host.isReported(endpoints.instance, source)) return
  if (host.isCounting(source) || host.datagrams.mayReport(now))
    host.silent({ ...endpoints, isRefused: false })
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
