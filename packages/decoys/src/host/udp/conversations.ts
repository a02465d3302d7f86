// Conversations by UDP at a port of their own, as a TFTP server has them: each begins with a datagram, and ends with its
// session, with an error of the network, for another one, or after a while.
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Listener, Reply, Session, SessionContext } from '../../session/session.ts'
import type { HostContext } from '../host-context.ts'
import type { Endpoint } from '../host-touch.ts'

export interface ConversationStart {
  readonly session: Session
  readonly listener: Listener
  readonly context: SessionContext
  readonly source: string
  /** The one that was asked: its port is on it, too. */
  readonly address: string
  /** As the system spells it. */
  readonly peer: Endpoint
  /** Whether an answer of so many bytes may go to somebody who has not answered at the new port yet. */
  readonly mayAnswerStranger: (bytes: number) => boolean
}

/**
 * Makes the conversation one of the `port`, which is any object, and sends the replies from a port of its own once that is
 * open. Their events are raised already. False when there is no room: all others have a peer that has answered.
 */
export function startConversation(
  start: ConversationStart,
  replies: readonly Reply[],
  port: object,
  host: HostContext,
): boolean {
  const { address, peer, source } = start
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' })
  const conversation = converse(start, host, {
    send: (bytes, done) => void socket.send(bytes, () => done()),
    close: () => socket.close(),
  })
  const { isAdmitted, evicted } = host.conversations.admit(conversation, port, source)
  evicted?.end()
  if (!isAdmitted) {
    socket.close()
    return false
  }
  socket.on('error', () => conversation.end())
  socket.on('message', (bytes) => conversation.receive(bytes))
  // Connected, as tftpd's: what others send to the port is refused by the kernel.
  socket.once('connect', () => conversation.begin(replies))
  socket.bind({ address, port: 0, exclusive: true }, () =>
    conversation.whileOpen(() => socket.connect(peer.port, peer.host)),
  )
  return true
}

interface Way {
  readonly send: (bytes: Buffer | string, done: () => void) => void
  readonly close: () => void
}

function converse(
  { session, listener, context, source, mayAnswerStranger }: ConversationStart,
  host: HostContext,
  way: Way,
) {
  const { clock, datagrams, conversations, limits } = host
  const timers = new Set<() => void>()
  let cancelWake: (() => void) | undefined
  let isOver = false
  /** Has answered at the new port: nobody forges its address. */
  let isKnown = false

  function after(ms: number, act: () => void): () => void {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel)
      act()
    })
    timers.add(cancel)
    return () => {
      timers.delete(cancel)
      cancel()
    }
  }

  function raise(events: Reply['events'] = []): void {
    if (events.length > 0 && datagrams.mayRaise(source, clock.now())) host.raise(events, listener, context)
  }

  function deliver(replies: readonly Reply[], mayAnswer: (bytes: number) => boolean): void {
    for (const { error, wakeMs, send = '', delayMs = 0, close } of replies) {
      if (error !== undefined) host.recordError(error)
      if (wakeMs !== undefined) {
        cancelWake?.()
        cancelWake = after(wakeMs, wake)
      }
      const leave = (): void => void (close && end())
      const act = (): void =>
        send.length > 0 && mayAnswer(Buffer.byteLength(send)) ? way.send(send, leave) : leave()
      if (delayMs > 0) after(delayMs, act)
      else act()
    }
  }

  function answer(replies: readonly Reply[], mayAnswer: (bytes: number) => boolean): void {
    raise(replies.flatMap(({ events = [] }) => events))
    deliver(replies, mayAnswer)
  }

  /** Such as a block that the peer has not acknowledged. */
  function wake(): void {
    const reply = session.wake()
    if (reply) answer([reply], isKnown ? mayAnswerKnown(0) : mayAnswerStranger)
  }

  const mayAnswerKnown = (asked: number) => {
    let left = Math.max(asked, listener.answerBytes ?? 0)
    return (bytes: number): boolean => (left -= bytes) >= 0
  }

  function end(): void {
    if (isOver) return
    isOver = true
    for (const cancel of timers) cancel()
    conversations.remove(conversation)
    way.close()
    raise(session.closed())
  }

  const whileOpen = (act: () => void): void => void (isOver || act())
  const conversation = {
    end,
    whileOpen,
    begin: (replies: readonly Reply[]): void => whileOpen(() => deliver(replies, mayAnswerStranger)),
    receive(bytes: Buffer): void {
      if (isOver) return
      host.stats.datagrams += 1
      isKnown = true
      conversations.raised(conversation)
      const replies = session.receive(bytes)
      while (session.hasMore) replies.push(...session.resume())
      answer(replies, mayAnswerKnown(bytes.length))
    },
  }
  after(limits.conversationMs, end)
  return conversation
}
