// A server of the MySQL protocol where no password is right: a greeting, one login, a refusal.
import { sessionRunner } from '../../../session/session-runner.ts'
import type { SessionContext, SessionRunner, Step } from '../../../session/session.ts'
import type { TlsFailure, TlsServer } from '../../../session/tls-server.ts'
import { begin, proceed, withoutSalt, type Exchange, type Move } from './authentication.ts'
import { CAPABILITY, has } from './capabilities.ts'
import { isMalformedName, repeatedUser } from './character-set.ts'
import { decode, HEADER_BYTES, MAX_KEPT_BYTES, type Frame, type StreamPosition } from './codec.ts'
import {
  accessDenied,
  badHandshake,
  characterSetRefused,
  errorPacket,
  malformedText,
  oldAuthentication,
  outOfOrder,
  packetTooLarge,
  proxyHeader,
  readError,
  readTimeout,
  type ServerError,
} from './errors.ts'
import { drawSalt, greetingPacket, moreData, switchRequest } from './greeting.ts'
import { isLoopback, type HostErrors } from './host-errors.ts'
import { loginEvent, unquoted } from './login-event.ts'
import type { Login, Reader } from './login-packet.ts'
import type { PasswordKey } from './password-key.ts'
import type { Plugin, Version } from './version.ts'

/** What the sessions of one listener share. */
export interface Server {
  readonly banner: string
  readonly version: Version
  readonly tls: (context: SessionContext) => TlsServer
  readonly passwordKey: (context: SessionContext) => Promise<PasswordKey>
  /** The plug-in of a user's account. */
  readonly pluginOf: (user: string, random: SessionContext['random']) => Plugin
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
  /** A payload of which a part is still to come, in its packet or in the next. */
  readonly long: LongPayload | undefined
  /** A login whose client was asked for more. */
  readonly exchange: Exchange | undefined
  /** The server has refused the client. */
  readonly isOver: boolean
}

/** MariaDB's `connect_timeout`, for each byte anew. */
const CONNECT_TIMEOUT_MS = 10_000

export const databaseSession = (server: Server): SessionRunner =>
  sessionRunner<State, Frame>({
    limits: { frameBytes: HEADER_BYTES + MAX_KEPT_BYTES, idleMs: CONNECT_TIMEOUT_MS },
    decode,
    open: ({ random }) => greet(server, random),
    step: (state, frame, context) => take(server, state, frame, context),
    idle: (state, context) => endSilence(server, state, context),
    ended: (state, _, context) =>
      server.version.silence === 'error'
        ? { ...fail(server, state, readError, context), close: 'end' }
        : undefined,
    secured: (state) => ({ state }),
    tlsFailed: (state, failure, context) => failTls(server, state, failure, context),
    closed(state, context) {
      server.closed()
      if (!state.isOver) server.errors.note(context.src.host)
      return state.exchange ? [loginEvent(state.exchange)] : []
    },
  })

function greet({ banner, version, nextThread }: Server, random: SessionContext['random']): Step<State> {
  const salt = drawSalt(random, version.salt)
  return {
    state: {
      sequence: 1,
      unread: 0,
      salt,
      hasSqlState: true,
      agreed: undefined,
      long: undefined,
      exchange: undefined,
      isOver: false,
    },
    send: greetingPacket({ banner, version, threadId: nextThread(), salt }),
  }
}

function take(server: Server, state: State, frame: Frame, context: SessionContext): Step<State> {
  switch (frame.kind) {
    case 'out-of-order':
      return fail(
        server,
        state,
        frame.isProxyHeader && server.version.hasProxyProtocol ? proxyHeader(context.src.host) : outOfOrder,
        context,
      )
    case 'skipped': {
      const unread = state.unread - frame.length
      if (unread > 0 || !state.long) return { state: { ...state, unread } }
      return endPacket(server, { ...state, unread }, state.long, context)
    }
    case 'packet': {
      const long = append(state.long, frame)
      if (long.length >= server.version.maxAllowedPacket) {
        const sequence = (state.sequence + 1) & 0xff
        const refused = fail(server, { ...state, sequence }, packetTooLarge, context)
        // The server does not read what is too much.
        return { ...refused, close: state.agreed ? 'end' : 'reset' }
      }
      const unread = frame.length - frame.payload.length
      if (unread === 0) return endPacket(server, state, long, context)
      return { state: { ...state, unread, long: { ...long, payload: Buffer.from(long.payload) } } }
    }
  }
}

/** `payload` is the part that is kept. */
interface Packet {
  readonly payload: Buffer
  readonly length: number
}

interface LongPayload extends Packet {
  /** The packet is full, so that another one goes on with it. */
  readonly isContinued: boolean
}

/** Of one packet. */
const MAX_BYTES = 0xff_ffff

const append = (before: LongPayload | undefined, { payload, length }: Packet): LongPayload => ({
  payload: before ? before.payload : payload,
  length: (before?.length ?? 0) + length,
  isContinued: length === MAX_BYTES,
})

function endPacket(server: Server, state: State, long: LongPayload, context: SessionContext): Step<State> {
  if (!long.isContinued) return takePacket(server, { ...state, long: undefined }, long, context)
  const sequence = (state.sequence + 1) & 0xff
  return { state: { ...state, sequence, long: { ...long, isContinued: false } } }
}

function takePacket(server: Server, before: State, packet: Packet, context: SessionContext): Step<State> {
  const state = { ...before, sequence: (before.sequence + 1) & 0xff }
  const { payload, length } = packet
  if (state.exchange) {
    const move = proceed(state.exchange, payload, state.agreed !== undefined)
    return make(server, { ...state, exchange: undefined }, move, context)
  }
  const { version } = server
  const read = version.readLogin(payload, length, {
    serverCapabilities: version.capabilities,
    agreed: state.agreed,
  })
  switch (read.kind) {
    case 'malformed':
      return fail(server, withClient(state, read.capabilities), badHandshake, context)
    case 'character-set':
      return fail(server, withClient(state, read.capabilities), characterSetRefused(read.name), context)
    case 'tls': {
      const { capabilities, collation } = read
      const agreed = { capabilities, isProtocol41: has(capabilities, CAPABILITY.protocol41), collation }
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
  const { product, plugin: defaultPlugin, salt, words } = server.version
  const refuse = (error: ServerError): Step<State> => ({
    ...fail(server, state, error, context),
    events: [loginEvent({ login, salt: state.salt, response: login.response })],
  })
  if (product === 'mariadb') {
    const { characterSet, database = '' } = login
    if (isMalformedName(database, characterSet)) return refuse(malformedText(characterSet, database))
    if (login.hasMalformedAttributes) return refuse(badHandshake)
    if (isOldMethod(login)) return refuse(oldAuthentication(words.client))
  }
  const plugin = server.pluginOf(unquoted(login.user), context.random)
  if (plugin !== NATIVE && !has(login.capabilities, CAPABILITY.pluginAuth))
    return refuse(oldAuthentication(words.client))
  if (login.hasMalformedAttributes) return refuse(badHandshake)
  const move = begin(login, plugin, {
    defaultPlugin,
    salt: state.salt,
    newSalt: () => drawSalt(context.random, salt),
    isSecure: state.agreed !== undefined,
  })
  return make(server, state, move, context)
}

const NATIVE: Plugin = 'mysql_native_password'

/** That of before 4.1, which MariaDB's accounts have no hash for. */
const isOldMethod = ({ plugin, response, capabilities }: Login): boolean =>
  plugin === undefined
    ? response.length > 0 && !has(capabilities, CAPABILITY.secureConnection)
    : plugin.toLowerCase() === 'mysql_old_password'

function make(server: Server, state: State, move: Move, context: SessionContext): Step<State> {
  const { exchange } = move
  const ask = (send: (sequence: number) => Buffer): Step<State> => ({
    state: { ...state, sequence: (state.sequence + 1) & 0xff, exchange },
    send: send(state.sequence),
  })
  switch (move.kind) {
    case 'switch':
      return ask((sequence) => switchRequest(sequence, exchange.plugin, exchange.salt))
    case 'full-authentication':
      return ask((sequence) => moreData(sequence, FULL_AUTHENTICATION))
    case 'public-key':
      return {
        state: { ...state, exchange },
        later: async () => {
          const { publicKey } = await server.passwordKey(context)
          return ask((sequence) => moreData(sequence, publicKey))
        },
      }
    case 'decrypt':
      return {
        state: { ...state, exchange },
        later: async () => {
          const key = await server.passwordKey(context)
          const combined = await key.decrypt(move.encrypted)
          const password = combined && withoutSalt(combined, exchange.salt)
          return refuseLogin(server, state, { exchange, hasPassword: true, password }, context)
        },
      }
    case 'refuse':
      return refuseLogin(server, state, move, context)
  }
}

/** perform_full_authentication of caching_sha2_password. */
const FULL_AUTHENTICATION = Buffer.from([4])

interface Refusal {
  readonly exchange: Exchange
  readonly hasPassword: boolean
  readonly isMalformed?: true
  readonly password?: Buffer | undefined
}

/** No password is right; a response of no length that the method has is none. */
function refuseLogin(server: Server, state: State, refusal: Refusal, context: SessionContext): Step<State> {
  const { exchange, hasPassword, isMalformed, password } = refusal
  const { user: sent, characterSet } = exchange.login
  const { mostUserBytes } = server.version
  const user = repeatedUser(unquoted(sent), characterSet).slice(0, mostUserBytes)
  const host = isLoopback(context.src.host) ? 'localhost' : context.src.host
  const error = isMalformed
    ? badHandshake
    : accessDenied(user, characterSet === 'swe7' ? '.0040' : '@', host, hasPassword)
  return {
    ...fail(server, { ...state, exchange: undefined }, error, context),
    events: [loginEvent(exchange, password)],
  }
}

/** `connect_timeout` is over. */
function endSilence(server: Server, state: State, context: SessionContext): Step<State> {
  const { silence } = server.version
  if (silence !== 'error') return { state, close: silence }
  return { ...fail(server, state, readTimeout, context), close: 'end' }
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
