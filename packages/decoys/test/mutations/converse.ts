// One conversation with a session, without a socket and on a clock of its own.
import type { Reply, Session, SessionContext, SessionRunner } from '../../src/session/session.ts'
import { latin1, type Draw } from '../draw.ts'
import { sentBytes } from '../sent-bytes.ts'
import { deriveFrom, testContext } from '../session-context.ts'

export interface Conversation {
  /** Bytes that it sent. */
  readonly answerBytes: number
  /** Most bytes of the peer that it kept at a time. */
  readonly keptBytes: number
  /** What it threw. */
  readonly error?: unknown
}

/** A peer waits so long for an answer. */
const PATIENCE_MS = 10_000
/** A session that wakes up again and again is left alone. */
const MAX_WAKES = 20
/** One Bird: its keys and certificates are made once. */
const derive = deriveFrom('bird-1')

export async function converse(
  start: SessionRunner,
  segments: readonly Buffer[],
  draw: Draw,
): Promise<Conversation> {
  const peer = peerOf(start, draw)
  await peer.take([peer.session.open()])
  for (const segment of segments) {
    if (peer.isOver()) break
    await peer.take(peer.session.receive(segment))
    await peer.wait()
  }
  await peer.take([peer.session.ended()])
  peer.session.closed()
  return peer.outcome()
}

/** What the peer of a session does about its replies. */
function peerOf(start: SessionRunner, draw: Draw) {
  let now = Date.UTC(2026, 10, 20, 9, 39, 2)
  const context: { -readonly [K in keyof SessionContext]: SessionContext[K] } = testContext({
    derive,
    now: () => now,
    random: (length) => latin1(draw.bytes(length)),
  })
  const session: Session = start(context)
  let [answerBytes, keptBytes, isOver] = [0, 0, false]
  let wakeMs: number | undefined
  let error: unknown

  async function take(replies: readonly (Reply | undefined)[]): Promise<void> {
    for (const reply of replies) if (reply) await takeOne(reply)
    keptBytes = Math.max(keptBytes, session.unreadBytes)
    if (session.hasMore && !isOver) await take(session.resume())
  }

  async function takeOne(reply: Reply): Promise<void> {
    answerBytes += sentBytes(reply).length
    error ??= reply.error
    wakeMs = reply.wakeMs ?? wakeMs
    if (reply.close) isOver = true
    if (reply.later) await takeOne(await reply.later())
    if (reply.tls) await secure(reply.tls !== 'off')
  }

  /** Every handshake succeeds: what comes next is read as if it were decrypted. */
  async function secure(begins: boolean): Promise<void> {
    context.tls = begins
      ? { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', serverName: 'a.example', protocol: '' }
      : undefined
    if (begins) await take([session.secured()])
  }

  return {
    session,
    take,
    isOver: () => isOver,
    outcome: (): Conversation => ({ answerBytes, keptBytes, ...(error !== undefined && { error }) }),
    /** Lets the time pass for which a peer would wait. */
    async wait(): Promise<void> {
      const until = now + PATIENCE_MS
      for (let wakes = 0; wakes < MAX_WAKES && !isOver && wakeMs !== undefined; wakes += 1) {
        if (now + wakeMs > until) return
        now += wakeMs
        wakeMs = undefined
        await take([session.wake()])
      }
    },
  }
}
