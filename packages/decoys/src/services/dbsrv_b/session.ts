// A MySQL server where no password is right: a greeting, one login, a refusal.
import { readable } from '../../readable.ts'
import { sessionRunner } from '../../session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../session.ts'
import type { TlsFailure, TlsServer } from '../../tls-server.ts'
import { CAPABILITY, has } from './capabilities.ts'
import { isMalformedName, repeatedUser } from './character-set.ts'
import { decode, HEADER_BYTES, KEPT_BYTES, type Frame, type StreamPosition } from './codec.ts'
import {
  accessDenied,
  badHandshake,
  characterSetRefused,
  errorPacket,
  malformedText,
  oldAuthentication,
  outOfOrder,
  proxyHeader,
  type ServerError,
} from './errors.ts'
import { guessNative, UNKNOWN_PASSWORD } from './guess.ts'
import { isLoopback, type HostErrors } from './host-errors.ts'
import { readLogin, type Login, type Reader } from './login-packet.ts'
import { drawSalt, greetingPacket, SALT_BYTES, switchRequest, type Product } from './server.ts'

/** What the sessions of one listener share. */
export interface Server {
  readonly banner: string
  readonly product: Product
  readonly tls: (context: SessionContext) => TlsServer
  readonly nextThread: () => number
  readonly errors: HostErrors
  /** A connection is closed. */
  readonly closed: () => void
}

interface State extends StreamPosition {
  readonly salt: Buffer
  /** The client knows SQLSTATEs; until it says otherwise, it does. */
  readonly hasSqlState: boolean
  readonly agreed: Reader['agreed']
  /** A packet of which a part is still to come. */
  readonly long: { readonly payload: Buffer; readonly length: number } | undefined
  /** Who was asked to answer again, by another plug-in. */
  readonly switched: Login | undefined
  /** The server has refused the client. */
  readonly isOver: boolean
}

/** MariaDB's `connect_timeout`, for each byte anew. */
const CONNECT_TIMEOUT_MS = 10_000

export const databaseSession = (server: Server): SessionRunner =>
  sessionRunner<State, Frame>({
    limits: { frameBytes: HEADER_BYTES + KEPT_BYTES, idleMs: CONNECT_TIMEOUT_MS },
    decode,
    open: ({ random }) => greet(server, random),
    step: (state, frame, context) => take(server, state, frame, context),
    idle: (state) => ({ state, close: 'reset' }),
    secured: (state) => ({ state }),
    tlsFailed: (state, failure, context) => failTls(server, state, failure, context),
    closed(state, context) {
      server.closed()
      if (!state.isOver) server.errors.note(context.src.host)
      return state.switched ? [loginEvent(state, state.switched, Buffer.alloc(0))] : []
    },
  })

function greet({ banner, product, nextThread }: Server, random: SessionContext['random']): Step<State> {
  const salt = drawSalt(random)
  return {
    state: {
      sequence: 1,
      unread: 0,
      salt,
      hasSqlState: true,
      agreed: undefined,
      long: undefined,
      switched: undefined,
      isOver: false,
    },
    send: greetingPacket({ banner, product, threadId: nextThread(), salt }),
  }
}

function take(server: Server, state: State, frame: Frame, context: SessionContext): Step<State> {
  switch (frame.kind) {
    case 'out-of-order':
      return fail(server, state, frame.isProxyHeader ? proxyHeader(context.src.host) : outOfOrder, context)
    case 'skipped': {
      const unread = state.unread - frame.length
      if (unread > 0 || !state.long) return { state: { ...state, unread } }
      return takePacket(server, { ...state, unread, long: undefined }, state.long, context)
    }
    case 'packet': {
      const unread = frame.length - frame.payload.length
      if (unread === 0) return takePacket(server, state, frame, context)
      const long = { payload: Buffer.from(frame.payload), length: frame.length }
      return { state: { ...state, unread, long } }
    }
  }
}

interface Packet {
  readonly payload: Buffer
  readonly length: number
}

function takePacket(server: Server, before: State, packet: Packet, context: SessionContext): Step<State> {
  const state = { ...before, sequence: (before.sequence + 1) & 0xff }
  if (state.switched) return answer(server, state, state.switched, packet.payload, packet.length, context)
  const { payload, length } = packet
  const read = readLogin(payload, length, {
    serverCapabilities: server.product.capabilities,
    agreed: state.agreed,
  })
  switch (read.kind) {
    case 'malformed':
      return fail(server, withClient(state, read.capabilities), badHandshake, context)
    case 'character-set':
      return fail(server, withClient(state, read.capabilities), characterSetRefused(read.name), context)
    case 'tls': {
      const { capabilities } = read
      const agreed = { capabilities, isProtocol41: has(capabilities, CAPABILITY.protocol41) }
      return { state: { ...withClient(state, capabilities), agreed }, tls: server.tls(context) }
    }
    case 'login':
      return logIn(server, withClient(state, read.login.capabilities), read.login, context)
  }
}

const withClient = (state: State, capabilities: number): State => ({
  ...state,
  hasSqlState: has(capabilities, CAPABILITY.protocol41),
})

function logIn(server: Server, state: State, login: Login, context: SessionContext): Step<State> {
  const { plugin } = server.product
  const { characterSet, database = '' } = login
  const refuse = (error: ServerError): Step<State> => ({
    ...fail(server, state, error, context),
    events: [loginEvent(state, login, login.response)],
  })
  if (isMalformedName(database, characterSet)) return refuse(malformedText(characterSet, database))
  if (isOldMethod(login)) return refuse(oldAuthentication)
  if (login.plugin === undefined || login.plugin.toLowerCase() === plugin)
    return answer(server, state, login, login.response, login.response.length, context)
  return {
    state: { ...state, sequence: (state.sequence + 1) & 0xff, switched: login },
    send: switchRequest(state.sequence, plugin, state.salt),
  }
}

/** That of before 4.1, which the accounts have no hash for. */
const isOldMethod = ({ plugin, response, capabilities }: Login): boolean =>
  plugin === undefined
    ? response.length > 0 && !has(capabilities, CAPABILITY.secureConnection)
    : plugin.toLowerCase() === 'mysql_old_password'

/** No password is right; one of no length that the method has is none. */
function answer(
  server: Server,
  state: State,
  login: Login,
  response: Buffer,
  length: number,
  context: SessionContext,
): Step<State> {
  const isMalformed = length !== 0 && length !== SALT_BYTES
  const user = repeatedUser(unquoted(login.user), login.characterSet)
  const host = isLoopback(context.src.host) ? 'localhost' : context.src.host
  const error = isMalformed
    ? badHandshake
    : accessDenied(user, login.characterSet === 'swe7' ? '.0040' : '@', host, length > 0)
  return {
    ...fail(server, { ...state, switched: undefined }, error, context),
    events: [loginEvent(state, login, response)],
  }
}

function fail(server: Server, state: State, error: ServerError, { src }: SessionContext): Step<State> {
  if (error.code !== ACCESS_DENIED) server.errors.note(src.host)
  return {
    state: { ...state, isOver: true },
    send: errorPacket(state.sequence, error, state.hasSqlState),
    // Through TLS the whole record has been read, whatever of it is left.
    close: state.agreed ? 'end' : 'close',
  }
}

/** A refusal in clear, whatever ended the handshake. */
function failTls(
  server: Server,
  state: State,
  { code, firstBytes }: TlsFailure,
  context: SessionContext,
): Step<State> {
  const { send, ...step } = fail(server, state, badHandshake, context)
  const hasEnded = code === 'ERR_TLS_HANDSHAKE_ENDED'
  const isReset = code === 'ERR_TLS_HANDSHAKE_TIMEOUT' || hasUnread(firstBytes)
  return {
    ...step,
    send: hasEnded ? Buffer.concat([DECODE_ERROR, Buffer.from(send ?? '')]) : (send ?? ''),
    close: isReset ? 'reset' : 'end',
  }
}

/** OpenSSL's alert when the peer leaves in the middle of a handshake. */
const DECODE_ERROR = Buffer.from([21, 3, 3, 0, 2, 2, 50])
const HANDSHAKE_RECORD = 22
const RECORD_HEADER_BYTES = 5
/** OpenSSL reads the header of a record, and no more where there is none. */
const hasUnread = (firstBytes: Buffer): boolean =>
  firstBytes[0] !== HANDSHAKE_RECORD && firstBytes.length > RECORD_HEADER_BYTES

const ACCESS_DENIED = 1045

/** Some clients put quotation marks around the name. */
const unquoted = (user: string): string =>
  /^'.*'$/s.test(user) && user.length > 1 ? user.slice(1, -1) : user

function loginEvent({ salt }: State, { user }: Login, response: Buffer): DecoyEvent {
  return {
    logtype: '8001',
    fields: {
      USERNAME: readable(user),
      CLIENT_HASH: response.toString('hex'),
      SALT: salt.toString('hex'),
      PASSWORD: response.length === 0 ? '' : (guessNative(salt, response) ?? UNKNOWN_PASSWORD),
    },
  }
}
