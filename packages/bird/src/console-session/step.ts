// One session with the console as a state machine: which frame is sent when, and what each frame does (chart: README.md).
// The table of the frames is in packages/link/README.md.
import type { Body, Frame } from '@rookery/link/messages.ts'
import type { Bundle } from '../active-settings/bundle.ts'
import type { Step, Woken } from '../state-machine.ts'
import { addChunk, fetchFrame, startDownload, type Download } from './settings-download.ts'

const HEARTBEAT_MS = 30_000
const HEARTBEAT_GAP_MS = 1_000
/** Silence of the console after which the connection counts as lost: two heartbeats are unanswered by then. */
const SILENCE_MS = 75_000
/** Another Bird with this key may be running: the two must not supersede each other without a pause. */
const SUPERSEDED_RETRY_MS = 60_000

export type ConsoleSessionState =
  | { readonly name: 'new' | 'closed' }
  /** `hello-sent`: waits for the console's answer. `pending`: a person must commission this Bird. */
  | ({ readonly name: 'hello-sent' | 'pending' } & Alive)
  | ({ readonly name: 'registered'; readonly download?: Download | undefined } & Alive)

interface Alive {
  readonly heartbeatAt: number
  /** The last heartbeat, or HELLO. */
  readonly heartbeatSentAt: number
  readonly silentAt: number
  readonly heartbeatsSent: number
  readonly heartbeatsAnswered: number
  /** Heartbeats sent before the settings in force: the answer to a later one proves that these reach the console. */
  readonly heartbeatsBeforeSettings: number
}

export type ConsoleSessionInput =
  | Woken
  /** The secure session is open. */
  | { readonly name: 'opened' }
  | { readonly name: 'frame'; readonly frame: Frame }
  /** The bundle of an offer is in force. */
  | { readonly name: 'settings-applied'; readonly tag: string; readonly seq: number }
  | { readonly name: 'settings-failed'; readonly tag: string; readonly seq: number; readonly reason: string }
  /** The settings in force were rolled back. */
  | { readonly name: 'settings-reverted' }
  /** Other decoys listen than before. */
  | { readonly name: 'decoys-changed' }

export type ConsoleSessionOutput =
  | { readonly name: 'send'; readonly frame: Frame }
  | { readonly name: 'send-hello' | 'send-heartbeat' }
  | { readonly name: 'send-applied'; readonly tag: string; readonly seq: number }
  /** The console has answered with its key proved: trust no other key from now on. */
  | { readonly name: 'pin-console' }
  | { readonly name: 'drop-enrolment' | 'confirm-settings' }
  | { readonly name: 'enter'; readonly phase: 'pending' | 'registered' }
  /** Store the node id, delete the events that the console has, send the others. */
  | { readonly name: 'register'; readonly body: Body<'REGISTERED'> }
  | { readonly name: 'acknowledge'; readonly body: Body<'ACK'> }
  | { readonly name: 'apply-settings'; readonly bundle: Bundle }
  /** The bundle is not what was offered. */
  | { readonly name: 'refuse-settings'; readonly tag: string; readonly reason: string }
  | { readonly name: 'run-command'; readonly command: Body<'CMD'> }
  | { readonly name: 'file-offered'; readonly offer: Body<'FILE_OFFER'> }
  | { readonly name: 'file-chunk'; readonly chunk: Body<'FILE_CHUNK'> }
  | { readonly name: 'close'; readonly reason: string; readonly retryMs?: number | undefined }
  | { readonly name: 'report'; readonly message: string }
  /** The console has decommissioned this Bird. */
  | { readonly name: 'revoke'; readonly reason: string }

/** The Bird at the moment of a step. */
export interface ConsoleSessionContext {
  readonly nowMs: number
  /** The settings in force; empty when there are none. */
  readonly settingsTag: string
  /** The last roll-back, until other settings are applied. */
  readonly reverted: Body<'SETTINGS_REVERTED'> | undefined
}

type SessionStep = Step<ConsoleSessionState, ConsoleSessionOutput>
type Live = Exclude<ConsoleSessionState, { name: 'new' | 'closed' }>
type Registered = Extract<ConsoleSessionState, { name: 'registered' }>

export const initial: ConsoleSessionState = { name: 'new' }
const CLOSED: ConsoleSessionState = { name: 'closed' }

export const wakeAt = (state: ConsoleSessionState): number | undefined =>
  isLive(state) ? Math.min(state.heartbeatAt, state.silentAt) : undefined

const isLive = (state: ConsoleSessionState): state is Live => state.name !== 'new' && state.name !== 'closed'

export function step(
  state: ConsoleSessionState,
  input: ConsoleSessionInput,
  context: ConsoleSessionContext,
): SessionStep {
  if (input.name === 'opened') return sendHello(context)
  if (!isLive(state)) return { state, outputs: [] }
  switch (input.name) {
    case 'woken':
      return onTime(state, context)
    case 'frame': {
      const alive = { ...state, silentAt: context.nowMs + SILENCE_MS }
      const following = onFrame(alive, input.frame, context)
      if (state.name !== 'hello-sent') return following
      return { ...following, outputs: [{ name: 'pin-console' }, ...following.outputs] }
    }
    case 'settings-applied':
      return announceApplied(state, input, context)
    case 'settings-failed':
      return fail(state, input)
    case 'settings-reverted':
      return { state, outputs: announceReverted(state, context) }
    case 'decoys-changed':
      return { state: hastenHeartbeat(state, context), outputs: [] }
  }
}

const sendHello = ({ nowMs }: ConsoleSessionContext): SessionStep => ({
  state: {
    name: 'hello-sent',
    heartbeatAt: nowMs + HEARTBEAT_MS,
    heartbeatSentAt: nowMs,
    silentAt: nowMs + SILENCE_MS,
    heartbeatsSent: 0,
    heartbeatsAnswered: 0,
    heartbeatsBeforeSettings: 0,
  },
  outputs: [{ name: 'send-hello' }],
})

function onTime(state: Live, { nowMs }: ConsoleSessionContext): SessionStep {
  if (nowMs >= state.silentAt) return close(`the console was silent for ${SILENCE_MS / 1000} s`)
  if (nowMs < state.heartbeatAt) return { state, outputs: [] }
  return { state: countHeartbeat(state, nowMs), outputs: [{ name: 'send-heartbeat' }] }
}

function onFrame(state: Live, frame: Frame, context: ConsoleSessionContext): SessionStep {
  switch (frame.kind) {
    case 'PENDING':
      if (state.name === 'registered') return close('the console sent PENDING after REGISTERED')
      return { state: { ...state, name: 'pending' }, outputs: [{ name: 'enter', phase: 'pending' }] }
    case 'COMMISSIONED':
    case 'REGISTERED':
      return register({ ...state, name: 'registered' }, frame.body, context)
    case 'REFUSED':
      return refused(frame.body)
    case 'GOODBYE':
      return close(`the console said goodbye: ${frame.body.reason}`, retryMsOf(frame.body))
    case 'HEARTBEAT_ACK': {
      const heartbeatsAnswered = state.heartbeatsAnswered + 1
      const isProof = heartbeatsAnswered > state.heartbeatsBeforeSettings
      return {
        state: { ...state, heartbeatsAnswered },
        outputs: isProof ? [{ name: 'confirm-settings' }] : [],
      }
    }
    default:
      if (state.name === 'registered') return onRegisteredFrame(state, frame, context)
      return close(`the console sent ${frame.kind} before this Bird was registered`)
  }
}

function onRegisteredFrame(state: Registered, frame: Frame, context: ConsoleSessionContext): SessionStep {
  switch (frame.kind) {
    case 'ACK':
      return { state, outputs: [{ name: 'acknowledge', body: frame.body }] }
    case 'SETTINGS_OFFER':
      return onOffer(state, frame.body, context)
    case 'SETTINGS_CHUNK':
      return onChunk(state, frame.body)
    case 'CMD':
      return { state, outputs: [{ name: 'run-command', command: frame.body }] }
    case 'FILE_OFFER':
      return { state, outputs: [{ name: 'file-offered', offer: frame.body }] }
    case 'FILE_CHUNK':
      return { state, outputs: [{ name: 'file-chunk', chunk: frame.body }] }
    default:
      // link/session.ts lets no frame of the Bird's own side through.
      return { state, outputs: [] }
  }
}

const register = (
  state: Registered,
  body: Body<'REGISTERED'>,
  context: ConsoleSessionContext,
): SessionStep => ({
  state,
  outputs: [
    { name: 'register', body },
    ...announceReverted(state, context),
    { name: 'enter', phase: 'registered' },
  ],
})

const WITHOUT_CODE =
  'Make another there with `rookery enrol`. This Bird now connects without a code, and waits for a person to commission it.'

function refused(body: Body<'REFUSED'>): SessionStep {
  const { reason, message } = body
  if (reason === 'revoked') return { state: CLOSED, outputs: [{ name: 'revoke', reason: message }] }
  const retryMs = retryMsOf(body) ?? (reason === 'superseded' ? SUPERSEDED_RETRY_MS : undefined)
  if (reason !== 'bad-enrolment')
    return close(`the console refused this Bird (${reason}): ${message}`, retryMs)
  const closed = close(`it refused the enrolment code. ${message} ${WITHOUT_CODE}`, retryMs)
  return { ...closed, outputs: [{ name: 'drop-enrolment' }, ...closed.outputs] }
}

/** An offer of the settings in force means that an APPLIED was lost; settings that were rolled back are not applied again. */
function onOffer(
  state: Registered,
  offer: Body<'SETTINGS_OFFER'>,
  context: ConsoleSessionContext,
): SessionStep {
  if (offer.tag === context.settingsTag) return announceApplied(state, offer, context)
  if (offer.tag === context.reverted?.tag) return { state, outputs: announceReverted(state, context) }
  const download = startDownload(offer)
  return { state: { ...state, download }, outputs: [{ name: 'send', frame: fetchFrame(download) }] }
}

function onChunk(state: Registered, chunk: Body<'SETTINGS_CHUNK'>): SessionStep {
  if (!state.download) return { state, outputs: [] }
  const { offer } = state.download
  const result = addChunk(state.download, chunk)
  if ('problem' in result) {
    const { tag } = offer
    const reason = result.problem
    const failed = fail({ ...state, download: undefined }, { ...offer, reason })
    return { ...failed, outputs: [{ name: 'refuse-settings', tag, reason }, ...failed.outputs] }
  }
  if ('bundle' in result)
    return {
      state: { ...state, download: undefined },
      outputs: [{ name: 'apply-settings', bundle: result.bundle }],
    }
  if (result.download === state.download) return { state, outputs: [] }
  return {
    state: { ...state, download: result.download },
    outputs: [{ name: 'send', frame: fetchFrame(result.download) }],
  }
}

/** The heartbeat behind APPLIED asks for the answer that confirms the settings. */
function announceApplied(
  state: Live,
  { tag, seq }: { readonly tag: string; readonly seq: number },
  { nowMs }: ConsoleSessionContext,
): SessionStep {
  return {
    state: { ...countHeartbeat(state, nowMs), heartbeatsBeforeSettings: state.heartbeatsSent },
    outputs: [{ name: 'send-applied', tag, seq }, { name: 'send-heartbeat' }],
  }
}

const fail = (
  state: Live,
  { tag, seq, reason }: { readonly tag: string; readonly seq: number; readonly reason: string },
): SessionStep => ({
  state,
  outputs: [
    {
      name: 'send',
      frame: { kind: 'SETTINGS_FAILED', body: { tag, seq, reason: reason.slice(0, 500) } },
    },
  ],
})

const announceReverted = (
  { name }: Live,
  { reverted }: ConsoleSessionContext,
): readonly ConsoleSessionOutput[] =>
  reverted && name === 'registered'
    ? [{ name: 'send', frame: { kind: 'SETTINGS_REVERTED', body: reverted } }]
    : []

/** The next heartbeat says which decoys listen: it is sent now, but at least a second after the last one. */
const hastenHeartbeat = (state: Live, { nowMs }: ConsoleSessionContext): Live => ({
  ...state,
  heartbeatAt: Math.min(state.heartbeatAt, Math.max(nowMs, state.heartbeatSentAt + HEARTBEAT_GAP_MS)),
})

const countHeartbeat = (state: Live, nowMs: number): Live => ({
  ...state,
  heartbeatAt: nowMs + HEARTBEAT_MS,
  heartbeatSentAt: nowMs,
  heartbeatsSent: state.heartbeatsSent + 1,
})

const close = (reason: string, retryMs?: number): SessionStep => ({
  state: CLOSED,
  outputs: [{ name: 'close', reason, retryMs }],
})

const retryMsOf = ({ retryAfterS }: { readonly retryAfterS?: number }): number | undefined =>
  retryAfterS === undefined ? undefined : retryAfterS * 1000
