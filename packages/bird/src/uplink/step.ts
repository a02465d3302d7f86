// The connections to the console as a state machine: connect, shake hands, stay open, close, back off (chart: README.md).
import type { Frame } from '@rookery/link/messages.ts'
import type { Received } from '@rookery/link/session.ts'
import type { Step, Woken } from '../state-machine.ts'

/** From the start of a connection to an open session. */
const HANDSHAKE_MS = 15_000
/** From `close` to `terminate`: time for what was sent before. */
const CLOSE_MS = 2_000
const FIRST_BACKOFF_MS = 250

/** Every state carries the next back-off, which doubles with each connection that brings no frame. */
export type UplinkState = { readonly backoffMs: number } & (
  | { readonly name: 'backing-off'; readonly connectAt: number }
  | { readonly name: 'connecting' | 'handshaking'; readonly giveUpAt: number }
  | { readonly name: 'open' }
  | ({ readonly name: 'closing'; readonly terminateAt: number | undefined } & CloseReason)
  | { readonly name: 'stopping'; readonly terminateAt: number | undefined }
  | { readonly name: 'stopped' }
)

/** Why a connection ends, and when the next one may be tried: after `retryMs`, or after the back-off. */
interface CloseReason {
  readonly reason: string
  readonly isUntrusted?: boolean
  readonly retryMs?: number | undefined
}

export type UplinkInput =
  | Woken
  /** The carrier is connected. */
  | { readonly name: 'connected' }
  /** The secure session has read a message. */
  | { readonly name: 'received'; readonly received: Received }
  /** The carrier is closed, by either side. */
  | { readonly name: 'closed'; readonly reason: string }
  /** The session wants to end this connection. */
  | { readonly name: 'close'; readonly reason: string; readonly retryMs?: number | undefined }
  | { readonly name: 'restart' | 'stop'; readonly reason: string }

export type UplinkOutput =
  | { readonly name: 'connect' }
  | { readonly name: 'begin-handshake' | 'open-session' | 'end-session' | 'close' | 'terminate' }
  | { readonly name: 'send'; readonly message: Buffer }
  | { readonly name: 'deliver'; readonly frame: Frame }
  | { readonly name: 'send-goodbye'; readonly reason: string }
  | { readonly name: 'report-disconnected'; readonly reason: string; readonly isUntrusted: boolean }

export interface UplinkContext {
  readonly nowMs: number
  readonly maxBackoffMs: number
  /** Half to one, at random: a thousand Birds must not connect in the same instant. */
  readonly jitter: () => number
}

type UplinkStep = Step<UplinkState, UplinkOutput>

export const initial: UplinkState = { name: 'backing-off', connectAt: 0, backoffMs: FIRST_BACKOFF_MS }

export function wakeAt(state: UplinkState): number | undefined {
  switch (state.name) {
    case 'backing-off':
      return state.connectAt
    case 'connecting':
    case 'handshaking':
      return state.giveUpAt
    case 'closing':
    case 'stopping':
      return state.terminateAt
    case 'open':
    case 'stopped':
      return undefined
  }
}

export function step(state: UplinkState, input: UplinkInput, context: UplinkContext): UplinkStep {
  switch (input.name) {
    case 'woken':
      return onTime(state, context)
    case 'connected':
      return state.name === 'connecting'
        ? { state: { ...state, name: 'handshaking' }, outputs: [{ name: 'begin-handshake' }] }
        : { state, outputs: [] }
    case 'received':
      return onMessage(state, input.received, context)
    case 'closed':
      return onClosed(state, input.reason, context)
    case 'close':
      return close(state, input, context)
    case 'restart':
      return state.name === 'backing-off'
        ? { state: { ...state, connectAt: context.nowMs }, outputs: [] }
        : close(state, { reason: input.reason, retryMs: 0 }, context, goodbye(state, input.reason))
    case 'stop':
      return stop(state, input.reason, context)
  }
}

function onTime(state: UplinkState, context: UplinkContext): UplinkStep {
  const dueAt = wakeAt(state)
  if (dueAt === undefined || context.nowMs < dueAt) return { state, outputs: [] }
  switch (state.name) {
    case 'backing-off': {
      const giveUpAt = context.nowMs + HANDSHAKE_MS
      const { backoffMs } = state
      return { state: { name: 'connecting', giveUpAt, backoffMs }, outputs: [{ name: 'connect' }] }
    }
    case 'closing':
    case 'stopping':
      return { state: { ...state, terminateAt: undefined }, outputs: [{ name: 'terminate' }] }
    default:
      return terminate(state, { reason: 'the console did not answer the handshake' })
  }
}

function onMessage(state: UplinkState, received: Received, { maxBackoffMs }: UplinkContext): UplinkStep {
  if (state.name !== 'handshaking' && state.name !== 'open') return { state, outputs: [] }
  const { reply, opened, frame, problem } = received
  const answer: UplinkOutput[] = reply ? [{ name: 'send', message: reply }] : []
  if (problem) {
    const isUntrusted = problem.code === 'untrusted-key'
    const retryMs = isUntrusted ? maxBackoffMs : undefined
    return terminate(state, { reason: problem.message, isUntrusted, retryMs }, answer)
  }
  return {
    state: {
      ...(opened ? { name: 'open' } : state),
      backoffMs: frame ? FIRST_BACKOFF_MS : state.backoffMs,
    },
    outputs: [
      ...answer,
      ...(opened ? [{ name: 'open-session' } as const] : []),
      ...(frame ? [{ name: 'deliver', frame } as const] : []),
    ],
  }
}

function onClosed(state: UplinkState, carrierReason: string, context: UplinkContext): UplinkStep {
  const end: UplinkOutput = { name: 'end-session' }
  if (state.name === 'stopped' || state.name === 'backing-off') return { state, outputs: [] }
  const { backoffMs } = state
  if (state.name === 'stopping') return { state: { name: 'stopped', backoffMs }, outputs: [end] }
  const {
    reason,
    isUntrusted = false,
    retryMs,
  }: CloseReason = state.name === 'closing' ? state : { reason: carrierReason }
  return {
    state: {
      name: 'backing-off',
      connectAt: context.nowMs + (retryMs ?? backoffMs * context.jitter()),
      backoffMs: Math.min(backoffMs * 2, context.maxBackoffMs),
    },
    outputs: [end, { name: 'report-disconnected', reason, isUntrusted }],
  }
}

/** Closes after what was sent before. The first reason counts, and the last `retryMs`. */
function close(
  state: UplinkState,
  { reason, retryMs }: CloseReason,
  { nowMs }: UplinkContext,
  before: readonly UplinkOutput[] = [],
): UplinkStep {
  const { backoffMs } = state
  switch (state.name) {
    case 'backing-off':
    case 'stopping':
    case 'stopped':
      return { state, outputs: [] }
    case 'closing':
      return { state: { ...state, retryMs: retryMs ?? state.retryMs }, outputs: [] }
    default:
      return {
        state: { name: 'closing', terminateAt: nowMs + CLOSE_MS, reason, retryMs, backoffMs },
        outputs: [...before, { name: 'close' }],
      }
  }
}

/** Closes at once: the console violates the protocol, or does not answer. */
const terminate = (
  { backoffMs }: UplinkState,
  closeReason: CloseReason,
  before: readonly UplinkOutput[] = [],
): UplinkStep => ({
  state: { name: 'closing', terminateAt: undefined, backoffMs, ...closeReason },
  outputs: [...before, { name: 'terminate' }],
})

function stop(state: UplinkState, reason: string, { nowMs }: UplinkContext): UplinkStep {
  const { backoffMs } = state
  switch (state.name) {
    case 'backing-off':
      return { state: { name: 'stopped', backoffMs }, outputs: [] }
    case 'closing':
      return { state: { name: 'stopping', terminateAt: state.terminateAt, backoffMs }, outputs: [] }
    case 'stopping':
    case 'stopped':
      return { state, outputs: [] }
    default:
      return {
        state: { name: 'stopping', terminateAt: nowMs + CLOSE_MS, backoffMs },
        outputs: [...goodbye(state, reason), { name: 'close' }],
      }
  }
}

const goodbye = ({ name }: UplinkState, reason: string): UplinkOutput[] =>
  name === 'open' ? [{ name: 'send-goodbye', reason }] : []
