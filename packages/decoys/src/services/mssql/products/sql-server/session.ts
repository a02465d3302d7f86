// A SQL Server where no password is right: what is encrypted, one login, a refusal ([MS-TDS] 3.3.5).
import { byteCollector, type ByteCollector } from '@rookery/kernel/byte-collector.ts'
import type { Story } from '../../../../machine/story.ts'
import type { RepeatedGuesses } from '../../../../session/repeated-guesses.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import type { TlsServer } from '../../../../session/tls-server.ts'
import {
  decode,
  MAX_PACKET_BYTES,
  PACKET,
  packets,
  STATUS,
  TABULAR_RESULT,
  type Frame,
} from '../../protocol/codec.ts'
import { sqlLogin } from './events.ts'
import { MAX_LOGIN_BYTES, readLogin, type Login } from '../../protocol/login.ts'
import { readOldLogin } from '../../protocol/old-login.ts'
import { agreedEncryption, preloginAnswer, readPrelogin, type Encryption } from './prelogin.ts'
import type { SessionIds } from './session-ids.ts'
import { loginFailed, refusal, sspiToken, untrustedDomain, type ServerError } from '../../protocol/tokens.ts'
import type { Version } from './profile.ts'
import { abandonedLogin, negotiate, type Negotiation } from './windows-login.ts'

/** What the sessions of one listener share. */
export interface Server {
  readonly version: Version
  readonly story: (derive: SessionContext['derive']) => Story
  /** Inside of TDS, and around TDS 8.0. */
  readonly tls: (context: SessionContext, encryption: 'login' | 'all') => TlsServer
  readonly tlsOfTds8: (context: SessionContext) => TlsServer
  readonly sessionIds: SessionIds
  readonly repeatedGuesses: RepeatedGuesses
}

type Phase =
  | { readonly name: 'initial' }
  | { readonly name: 'login-ready'; readonly encryption: Encryption }
  | { readonly name: 'negotiating'; readonly login: Login; readonly negotiation: Negotiation }
  | { readonly name: 'refused' }

interface State {
  readonly phase: Phase
  /** What came of a message whose last packet is still to come; changed in place. */
  readonly parts: ByteCollector
  readonly spid: number
  /** TLS was there before the first packet. */
  readonly isTds8: boolean
}

type Packet = Extract<Frame, { kind: 'packet' }>

/** From the connection to the login; no document gives the number. */
const LOGIN_TIMEOUT_MS = 60_000
const MAX_BUSY_SESSIONS = 12

export const sqlServerSession = (server: Server): SessionRunner =>
  sessionRunner<State, Frame>({
    limits: { frameBytes: MAX_PACKET_BYTES, idleMs: LOGIN_TIMEOUT_MS },
    decode: (bytes, { phase, isTds8 }) =>
      decode(bytes, server.version.hasTds8 && !isTds8 && phase.name === 'initial'),
    open: () => ({
      state: { phase: { name: 'initial' }, parts: byteCollector(), spid: 0, isTds8: false },
      wakeMs: LOGIN_TIMEOUT_MS,
    }),
    step(state, frame, context) {
      if (frame.kind === 'packet') return takePacket(server, state, frame, context)
      if (frame.kind === 'malformed') return close(state)
      return { state: { ...state, isTds8: true }, tls: server.tlsOfTds8(context) }
    },
    wake: close,
    idle: close,
    secured: (state) => ({ state }),
    tlsFailed: close,
    closed({ phase, spid }) {
      server.sessionIds.release(spid)
      return phase.name === 'negotiating' ? abandonedLogin(phase.login) : []
    },
    keptBytes: ({ parts }) => parts.bytes().length,
  })

const close = (state: State): Step<State> => ({
  state: { ...state, phase: { name: 'initial' } },
  close: 'end',
})

function takePacket(server: Server, state: State, packet: Packet, context: SessionContext): Step<State> {
  const { phase } = state
  const isFirstOfLogin =
    phase.name === 'login-ready' && phase.encryption === 'login' && packet.type === PACKET.login
  if (!isFirstOfLogin) return takePart(server, state, packet, context)
  // The first packet of the login is encrypted, and no other one (2.2.6.5).
  const unencrypted = { ...state, phase: { ...phase, encryption: 'none' } } as const
  return { ...takePart(server, unencrypted, packet, context), tls: 'off' }
}

function takePart(server: Server, state: State, packet: Packet, context: SessionContext): Step<State> {
  const { type, status, payload } = packet
  if (!isExpected(state.phase, type)) return close(state)
  // The record of an old client is refused before all of it has come.
  if (type === PACKET.oldLogin) return refuseOldLogin(server, state, payload, context)
  if ((status & STATUS.ignore) !== 0) return { state: { ...state, parts: byteCollector() } }
  const { parts } = state
  parts.add(payload)
  if (parts.bytes().length > MAX_LOGIN_BYTES) return close(state)
  if ((status & STATUS.endOfMessage) === 0) return { state }
  return takeMessage(server, { ...state, parts: byteCollector() }, parts.bytes(), type, context)
}

/** Windows' own tools and scanners may log in without PRELOGIN. */
function isExpected({ name }: Phase, type: number): boolean {
  if (name === 'negotiating') return type === PACKET.sspi
  if (type === PACKET.login) return true
  return name === 'initial' && (type === PACKET.prelogin || type === PACKET.oldLogin)
}

function takeMessage(
  server: Server,
  state: State,
  message: Buffer,
  type: number,
  context: SessionContext,
): Step<State> {
  const { phase } = state
  if (phase.name === 'negotiating') return takeToken(server, state, phase, message, context)
  return type === PACKET.prelogin
    ? agree(server, state, message, context)
    : takeLogin(server, state, message, context)
}

function agree(server: Server, state: State, message: Buffer, context: SessionContext): Step<State> {
  const asked = readPrelogin(message)
  if (!asked) return close(state)
  // Encrypted already, whatever the client says.
  const encryption = state.isTds8 ? 'all' : agreedEncryption(asked.encryption)
  return {
    state: { ...state, phase: { name: 'login-ready', encryption } },
    send: packets(TABULAR_RESULT, preloginAnswer(asked, server.version)),
    ...(encryption !== 'none' && !state.isTds8 && { tls: server.tls(context, encryption) }),
  }
}

function takeLogin(server: Server, before: State, message: Buffer, context: SessionContext): Step<State> {
  const login = readLogin(message)
  if (!login) return close(before)
  const state = { ...before, spid: server.sessionIds.take(busySessions(context)) }
  return login.sspi
    ? takeToken(server, state, { login, negotiation: { name: 'begun' } }, login.sspi, context)
    : refuse(server, state, login, loginFailed(login.user), [sqlLogin(login)], context)
}

/** A server in use has applications that hold a session; each Bird has another number of them. */
const busySessions = ({ derive }: SessionContext): number =>
  derive('dbsrv_a/busy-sessions', 1)[0]! % MAX_BUSY_SESSIONS

/** One step of a login that Windows checks. */
function takeToken(
  server: Server,
  state: State,
  { login, negotiation }: { readonly login: Login; readonly negotiation: Negotiation },
  token: Buffer,
  context: SessionContext,
): Step<State> {
  const outcome = negotiate(login, negotiation, token, server.story(context.derive), context)
  if (outcome.name === 'goes-on') {
    return {
      state: { ...state, phase: { name: 'negotiating', login, negotiation: outcome.negotiation } },
      send: packets(TABULAR_RESULT, sspiToken(outcome.answer), state.spid),
    }
  }
  const error = outcome.isAnonymous
    ? loginFailed(outcome.user)
    : untrustedDomain(server.version.windowsLogins)
  return refuse(server, state, login, error, outcome.events, context)
}

function refuse(
  server: Server,
  state: State,
  { tdsVersion }: Login,
  error: ServerError,
  events: readonly DecoyEvent[],
  { derive }: SessionContext,
): Step<State> {
  const name = server.story(derive).hostName
  return {
    ...close({ ...state, phase: { name: 'refused' } }),
    events,
    send: packets(TABULAR_RESULT, refusal(error, name, tdsVersion), state.spid),
  }
}

/** The tool sees a lost connection, and may send the same once more. */
function refuseOldLogin(
  { repeatedGuesses }: Server,
  state: State,
  payload: Buffer,
  { src, now }: SessionContext,
): Step<State> {
  const login = readOldLogin(payload)
  if (!login) return close(state)
  const guess = [login.user, login.password]
  const isRepeat = repeatedGuesses.consumeRepeat(src.host, guess, now())
  repeatedGuesses.remember(src.host, guess, now())
  return { ...close(state), events: isRepeat ? [] : [sqlLogin(login)] }
}
