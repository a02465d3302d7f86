// What a TCP connection does next, decided from its state alone.
import type { Reply } from '../../session/session.ts'
import type { TlsServer } from '../../session/tls-server.ts'

export interface ConnectionState {
  /** By the steady time of the host. */
  lastActivityAt: number
  /** Nothing has come for `idleMs`. */
  isSilent: boolean
  /** The peer has sent its FIN: we answer what is left and close. */
  isPeerDone: boolean
  /** We have sent our last byte; what still arrives is discarded. */
  isClosing: boolean
  /** More waits to be sent than `highWaterBytes`. */
  isBlocked: boolean
  /** A delayed reply waits for its time, or a later one for its computation. */
  isDelayed: boolean
  /** What is delayed waits for the next turn of the event loop alone. */
  isBetweenWrites: boolean
  /** It waits for its turn to go on. */
  isQueued: boolean
  /** It waits for the end of a rest (sharing/costs.ts). */
  isResting: boolean
  /** What has arrived waits for its decoy's share. */
  isSharing: boolean
}

export const newConnectionState = (now: number): ConnectionState => ({
  lastActivityAt: now,
  isSilent: false,
  isPeerDone: false,
  isClosing: false,
  isBlocked: false,
  isDelayed: false,
  isBetweenWrites: false,
  isQueued: false,
  isResting: false,
  isSharing: false,
})

/** After replies are sent. `wait`: for a drain, a delay, a rest or the close. */
export function nextAction(state: ConnectionState, hasMore: boolean): 'wait' | 'resume' | 'close' | 'read' {
  if (state.isClosing || state.isBlocked || state.isDelayed || state.isResting) return 'wait'
  if (hasMore) return 'resume'
  return state.isPeerDone ? 'close' : 'read'
}

/** How often a connection with a delayed reply is looked at again. */
const DELAYED_RECHECK_MS = 1_000

/** When a connection whose reply is delayed is looked at again. */
export const recheckMs = ({ isBetweenWrites }: ConnectionState): number =>
  isBetweenWrites ? 0 : DELAYED_RECHECK_MS

/** When the idle timer fires: wait longer, call the session's `idle`, or reset a peer that does not read its answers. */
export function onIdleTimer(
  state: ConnectionState,
  idleMs: number,
  now: number,
): { readonly waitMs: number } | 'idle' | 'reset' | 'closing' {
  if (state.isClosing) return 'closing'
  const leftMs = idleMs - (now - state.lastActivityAt)
  if (leftMs > 0) return { waitMs: leftMs }
  if (state.isDelayed) return { waitMs: DELAYED_RECHECK_MS }
  return state.isBlocked ? 'reset' : 'idle'
}

/** Writes in order, then at most one of TLS, a delayed reply or what is left of one, a later one and a close. */
export interface SendPlan {
  readonly writes: readonly (string | Buffer)[]
  /** Without `delayMs`, for the next turn of the event loop. */
  readonly delayed?: Reply
  readonly later?: NonNullable<Reply['later']>
  readonly tls?: TlsServer
  readonly close?: NonNullable<Reply['close']>
}

/** Joins texts, so that answers to a pipeline take as few writes as possible. */
export function planSend(replies: readonly Reply[]): SendPlan {
  if (replies.at(-1)?.close === 'discard') return { writes: [], close: 'end' }
  const writes: (string | Buffer)[] = []
  for (const reply of replies) {
    const { send, furtherWrites = [], delayMs, close } = reply
    if (delayMs) return { writes, delayed: reply }
    const last = writes.at(-1)
    if (typeof send === 'string' && typeof last === 'string') writes[writes.length - 1] = last + send
    else if (send?.length) writes.push(send)
    for (const [at, further] of furtherWrites.entries()) {
      const rest = furtherWrites.slice(at + 1)
      if (further.isLater) return { writes, delayed: { ...reply, send: further.send, furtherWrites: rest } }
      writes.push(further.send)
    }
    if (close) return { writes, close }
    if (reply.tls && reply.tls !== 'off') return { writes, tls: reply.tls }
    if (reply.later) return { writes, later: reply.later }
  }
  return { writes }
}
