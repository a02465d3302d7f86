// TightVNC that nobody gets into: version, security type, Tight's lists, challenge, and a refusal.
import type { SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import { CHALLENGE_BYTES, decode, u32, type Message, type Stage } from '../../protocol/codec.ts'
import { loginEvent } from '../../protocol/login-event.ts'
import { SECURITY } from '../../protocol/security.ts'
import { GREETING, knownMinor, readVersion } from '../../protocol/version.ts'
import type { Attempts } from './attempts.ts'
import { capabilities, failed, TIGHT, tooMany, typeList } from './profile.ts'

interface State {
  readonly stage: Exclude<Stage, 'vencrypt-version' | 'sub-type'>
  /** Of the client's version, as far as the server goes by it. */
  readonly minor: 3 | 7 | 8
  /** Sent, and not yet answered. */
  readonly challenge: Buffer | undefined
  /** A part of a message has come. */
  readonly isWaiting: boolean
}

/** It closes no silent connection; such a one is given up first when there is no room. */
const IDLE_MS = 300_000
/** `-rfbwait` of Debian's tightvncserver: how long the rest of a message may take, after each byte anew. */
const WAIT_MS = 120_000
const FRAME_BYTES = 4_096

export const tightSession = (attempts: Attempts): SessionRunner =>
  sessionRunner<State, Message>({
    limits: { frameBytes: FRAME_BYTES, idleMs: IDLE_MS },
    decode: (bytes, { stage }) => decode(bytes, { stage, atLeast: 0 }),
    open: () => ({
      state: { stage: 'version', minor: 8, challenge: undefined, isWaiting: false },
      send: GREETING,
    }),
    step(state, { bytes }, context) {
      const whole = { ...state, isWaiting: false }
      switch (state.stage) {
        case 'version':
          return takeVersion(whole, bytes, attempts, context)
        case 'type':
          return takeType(whole, bytes.readUInt8(), context)
        case 'tight-type':
          return bytes.readUInt32BE() === SECURITY.vncAuth ? challenge(whole, context) : close(whole)
        case 'response':
          return takeResponse(whole, bytes, attempts, context)
        case 'over':
          return close(whole)
      }
    },
    partial: (state) => ({ state: { ...state, isWaiting: true }, wakeMs: WAIT_MS }),
    // The part is read by then, so that nothing resets the connection.
    wake: (state) => (state.isWaiting ? { ...close(state), close: 'end' } : { state }),
    idle: (state) => ({ state }),
    closed: (state) => (state.challenge ? [loginEvent(state.challenge, Buffer.alloc(0))] : []),
  })

const close = (state: State): Step<State> => ({ state: { ...state, stage: 'over' }, close: 'close' })

function takeVersion(
  state: State,
  message: Buffer,
  attempts: Attempts,
  context: SessionContext,
): Step<State> {
  const version = readVersion(message)
  if (version?.major !== 3) return close(state)
  const minor = knownMinor(version.minor)
  if (attempts.isBlocked(context.src.host, context.now())) return { ...close(state), send: tooMany(minor) }
  if (minor > 3) return { state: { ...state, minor, stage: 'type' }, send: typeList }
  // The server chooses for clients of 3.3.
  const step = challenge({ ...state, minor }, context)
  return { ...step, send: Buffer.concat([u32(SECURITY.vncAuth), Buffer.from(step.send ?? '')]) }
}

function takeType(state: State, type: number, context: SessionContext): Step<State> {
  if (type === SECURITY.vncAuth) return challenge(state, context)
  return type === TIGHT ? { state: { ...state, stage: 'tight-type' }, send: capabilities } : close(state)
}

function challenge(state: State, { random }: SessionContext): Step<State> {
  const bytes = random(CHALLENGE_BYTES)
  return { state: { ...state, stage: 'response', challenge: bytes }, send: bytes }
}

function takeResponse(
  state: State,
  response: Buffer,
  attempts: Attempts,
  { src, now }: SessionContext,
): Step<State> {
  if (!state.challenge) return close(state)
  const isBlocked = attempts.note(src.host, now())
  return {
    ...close({ ...state, challenge: undefined }),
    events: [loginEvent(state.challenge, response)],
    send: failed(state.minor, isBlocked),
  }
}
