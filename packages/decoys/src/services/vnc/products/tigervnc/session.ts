// A VNC server that nobody gets into: version, security type, challenge, and a refusal.
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import { CHALLENGE_BYTES, decode, u32, type Message, type Stage } from '../../protocol/codec.ts'
import { loginEvent } from '../../protocol/login-event.ts'
import { failure, refusal, SECURITY } from '../../protocol/security.ts'
import { SECURITY_TYPES, subTypeList, typeList, type Platform } from './profile.ts'
import { anonymousTls } from './tls.ts'
import { GREETING, knownMinor, readVersion } from '../../protocol/version.ts'

interface State {
  readonly stage: Exclude<Stage, 'tight-type'>
  /** Of the client's version, as far as the server goes by it: 3, 7 or 8. */
  readonly minor: number
  /** Sent, and not yet answered. */
  readonly challenge: Buffer | undefined
  readonly atLeast: number
  /** Waits for its time; a client that ends its side before gets the close alone. */
  readonly refusal: Buffer | undefined
}

/** TigerVNC closes no silent connection; it is given up first when there is no room. */
const IDLE_MS = 300_000
/** A refusal waits so long, so that guesses take their time. */
const REFUSAL_DELAY_MS = 100
const FRAME_BYTES = 4_096

export const vncSession = (platform: Platform): SessionRunner =>
  sessionRunner<State, Message>({
    limits: { frameBytes: FRAME_BYTES, idleMs: IDLE_MS },
    decode,
    open: () => ({
      state: { stage: 'version', minor: 8, challenge: undefined, atLeast: 0, refusal: undefined },
      send: GREETING,
    }),
    step(state, { bytes, behind }, context) {
      switch (state.stage) {
        case 'version':
          return takeVersion(bytes, behind, context)
        case 'type':
          return takeType(state, bytes.readUInt8(), behind, context)
        case 'response':
          return takeResponse(state, bytes)
        case 'vencrypt-version':
          return takeVeNCryptVersion(state, bytes, platform)
        case 'sub-type':
          return takeSubType(state, bytes.readUInt32BE(), behind, context)
        case 'over':
          return { state }
      }
    },
    secured: (state, context) => challenge(state, 0, context),
    tlsFailed: (state, { code }) =>
      code === 'ERR_TLS_HANDSHAKE_ENDED' || code === 'ERR_TLS_HANDSHAKE_TIMEOUT'
        ? { state: over(state), close: 'end' }
        : refuse(state, 'Authentication failure: TLS Handshake failed'),
    wake: ({ refusal, ...state }) => ({
      state: { ...state, refusal: undefined },
      ...(refusal && { send: refusal, close: 'end' }),
    }),
    overflow: (state) => ({ state, close: 'end' }),
    idle: (state) => ({ state }),
    closed: (state) => (state.challenge ? [loginEvent(state.challenge, Buffer.alloc(0))] : []),
  })

function takeVersion(message: Buffer, behind: number, context: SessionContext): Step<State> {
  const version = readVersion(message)
  const state: State = {
    stage: 'over',
    minor: version?.minor ?? 8,
    challenge: undefined,
    atLeast: 0,
    refusal: undefined,
  }
  if (!version) return { state, close: 'end' }
  if (version.major !== 3) {
    const reason = `Client needs protocol version ${version.major}.${version.minor}, server has 3.8`
    return { state, send: refusal(8, reason), close: 'end' }
  }
  const known = knownMinor(version.minor)
  if (known > 3) return { state: { ...state, minor: known, stage: 'type' }, send: typeList }
  // The server chooses for clients of 3.3.
  const step = challenge({ ...state, minor: known }, behind, context)
  return { ...step, send: Buffer.concat([u32(SECURITY.vncAuth), Buffer.from(step.send ?? '')]) }
}

function takeType(state: State, type: number, behind: number, context: SessionContext): Step<State> {
  if (!SECURITY_TYPES.includes(type)) return { state: over(state), close: 'end' }
  if (type === SECURITY.vncAuth) return challenge(state, behind, context)
  return { state: { ...state, stage: 'vencrypt-version' }, send: Buffer.from([0, 2]) }
}

/** What has come before the challenge is read with the next bytes that come. */
function challenge(state: State, behind: number, { random }: SessionContext): Step<State> {
  const bytes = random(CHALLENGE_BYTES)
  const atLeast = behind > 0 ? behind + 1 : 0
  return { state: { ...state, stage: 'response', challenge: bytes, atLeast }, send: bytes }
}

const over = (state: State): State => ({ ...state, stage: 'over', challenge: undefined, atLeast: 0 })

function refuse(state: State, reason: string): Step<State> {
  return { state: { ...over(state), refusal: failure(state.minor, reason) }, wakeMs: REFUSAL_DELAY_MS }
}

function takeResponse(state: State, response: Buffer): Step<State> {
  if (!state.challenge) return { state: over(state), close: 'end' }
  return { ...refuse(state, 'Authentication failure'), events: [loginEvent(state.challenge, response)] }
}

/** 0.1 is the one before; nothing else is known. */
function takeVeNCryptVersion(state: State, version: Buffer, platform: Platform): Step<State> {
  const number = version.readUInt16BE()
  if (number === 2) return { state: { ...state, stage: 'sub-type' }, send: subTypeList(platform) }
  const step = refuse(
    state,
    number < 2
      ? "Authentication failure: The client cannot support the server's VeNCrypt version"
      : 'Authentication failure: The client returned an unsupported VeNCrypt version',
  )
  return { ...step, send: Buffer.from([0xff]) }
}

function takeSubType(state: State, type: number, behind: number, context: SessionContext): Step<State> {
  if (type === SECURITY.vncAuth) return challenge(state, behind, context)
  if (type !== SECURITY.tlsVnc) return refuse(state, 'Authentication failure: No valid VeNCrypt sub-type')
  return { state: { ...state, stage: 'response' }, send: Buffer.from([1]), tls: anonymousTls }
}
