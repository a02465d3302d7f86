// User authentication (RFC 4252) in which no login succeeds. Order, counting and texts are OpenSSH's.
import { createHash } from 'node:crypto'
import { readable, readableBytes, readableText, textOfBytes } from '../../../../session/readable.ts'
import type { DecoyEvent, SessionContext, Step } from '../../../../session/session.ts'
import { message, reader, string, type Reader } from '../../protocol/codec/fields.ts'
import { disconnect, MSG, unimplemented } from '../../protocol/codec/messages.ts'
import { extInfo, readExtInfo } from '../../protocol/ext-info.ts'
import { minimumDelayMs, passwordDelayMs } from './delays.ts'
import { hostKey } from '../../protocol/host-keys/host-keys.ts'
import type { AuthState, SshConfig, SshState } from '../../protocol/state.ts'
import { CLOSE, close, closeWith, sendPackets } from '../../protocol/steps.ts'

/** OpenSSH's MaxAuthTries. */
const MAX_FAILURES = 6
/** What Debian's default configuration offers. */
const METHODS = 'publickey,password'
/** OpenSSH refuses a longer password without asking PAM. */
const MAX_PASSWORD_BYTES = 1024

/** A message after the key exchange. `sequence`: the number of its packet. */
export function onAuthMessage(
  state: SshState,
  payload: Buffer,
  sequence: number,
  config: SshConfig,
  context: SessionContext,
): Step<SshState> {
  const [type] = payload
  const { stage, auth } = state
  const mayExtend = config.version.readsExtInfo && stage.name === 'auth' && stage.acceptsExtInfo
  if (type === MSG.extInfo && mayExtend && !auth.hasExtInfo) {
    const names = readExtInfo(payload)
    if (!names) return close(state)
    const wantsExtInfo = names.get('ext-info-in-auth@openssh.com') === '0'
    return { state: { ...state, auth: { ...auth, hasExtInfo: true, wantsExtInfo } } }
  }
  if (type === MSG.serviceRequest) return onServiceRequest(state, payload, context)
  if (type === MSG.authRequest && state.auth.isServiceAccepted) {
    return onAuthRequest(state, payload, config, context)
  }
  if (auth.attempts > 0 && (type === MSG.infoResponse || type === MSG.gssapiComplete)) return close(state)
  // A KEXINIT too: OpenSSH does not exchange keys again before a login.
  return sendPackets(state, context, unimplemented(sequence))
}

function onServiceRequest(state: SshState, payload: Buffer, context: SessionContext): Step<SshState> {
  const fields = reader(payload.subarray(1))
  const service = fields.cstring()
  if (!fields.isWhole) return close(state)
  if (service.toString('latin1') !== 'ssh-userauth') {
    return closeWith(state, context, disconnect(`bad service request ${service.toString()}`))
  }
  const auth = { ...state.auth, isServiceAccepted: true }
  return sendPackets({ ...state, auth }, context, message(MSG.serviceAccept, string(service)))
}

function onAuthRequest(
  state: SshState,
  payload: Buffer,
  config: SshConfig,
  context: SessionContext,
): Step<SshState> {
  const fields = reader(payload.subarray(1))
  const [user = '', service = '', method = ''] = [fields.cstring(), fields.cstring(), fields.cstring()].map(
    textOfBytes,
  )
  if (!fields.isIntact) return close(state)
  const { auth } = state
  const isFirst = auth.attempts === 0
  if (!isFirst && (user !== auth.user || service !== auth.service)) {
    const change = `(${auth.user},${auth.service}) -> (${user},${service})`
    return closeWith(state, context, disconnect(`Change of username or service not allowed: ${change}`))
  }
  const attempt = parseAttempt(method, fields, state, config, context)
  if (!attempt) return close(state)

  // The first `none` only asks which methods there are.
  const isCounted = !(isFirst && method === 'none')
  const next: AuthState = {
    ...auth,
    attempts: auth.attempts + 1,
    failures: auth.failures + (isCounted ? 1 : 0),
    user,
    service,
    isLoginTried: auth.isLoginTried || attempt.credentials !== undefined,
  }
  return refuseAttempt({ ...state, auth: next }, attempt, isFirst, config, context)
}

/** Raises the event of the credentials, and answers with a failure; after the last one allowed with a disconnect. */
function refuseAttempt(
  state: SshState,
  attempt: Attempt,
  isFirst: boolean,
  config: SshConfig,
  context: SessionContext,
): Step<SshState> {
  const { user, failures } = state.auth
  const isLast = failures >= MAX_FAILURES
  const { send, state: sent } = sendPackets(
    state,
    context,
    ...(isFirst && config.banner ? [banner(config.banner)] : []),
    ...(isFirst && state.auth.wantsExtInfo ? [extInfo(config.version.extensions.slice(0, 1))] : []),
    isLast
      ? disconnect('Too many authentication failures')
      : message(MSG.authFailure, string(METHODS), Buffer.from([0])),
  )
  const events = loginEvents(state, attempt, isLast, config, context)
  return {
    state: sent,
    send,
    ...(events && { events }),
    ...(config.pamDelayMs > 0 && {
      delayMs: attempt.reachesPam
        ? passwordDelayMs(config.pamDelayMs, user, context)
        : minimumDelayMs(user, context),
    }),
    ...(isLast && CLOSE),
  }
}

/** No event for credentials that a tool repeats because our last close cut off their answer. */
function loginEvents(
  state: SshState,
  { credentials }: Attempt,
  isLast: boolean,
  config: SshConfig,
  { src, now }: SessionContext,
): readonly DecoyEvent[] | undefined {
  if (!credentials) return undefined
  const { user } = state.auth
  const guess = [user, JSON.stringify(credentials)]
  const isRepeat = config.repeatedGuesses.consumeRepeat(src.host, guess, now())
  if (isLast) config.repeatedGuesses.remember(src.host, guess, now())
  return isRepeat ? undefined : [loginEvent(state, config, { USERNAME: readableText(user), ...credentials })]
}

interface Attempt {
  /** Fields of the event; undefined when the request has no credential. */
  readonly credentials?: Readonly<Record<string, string>>
  /** Whether OpenSSH asks PAM, which delays the refusal. */
  readonly reachesPam?: boolean
}

/** Undefined when the request is malformed: OpenSSH closes. */
function parseAttempt(
  method: string,
  fields: Reader,
  { auth }: SshState,
  { version }: SshConfig,
  { derive }: SessionContext,
): Attempt | undefined {
  switch (method) {
    case 'none':
      return fields.isWhole ? {} : undefined
    case 'password': {
      const isChange = fields.boolean()
      const password = fields.cstring()
      if (isChange) fields.string()
      if (!fields.isWhole) return undefined
      const reachesPam = !isChange && password.length > 0 && password.length <= MAX_PASSWORD_BYTES
      return { credentials: { PASSWORD: readableBytes(password) }, reachesPam }
    }
    case 'publickey':
      return offeredKey(fields, undefined)
    case 'publickey-hostbound-v00@openssh.com': {
      const isKnown = version.extensions.some(([name]) => name === 'publickey-hostbound@openssh.com')
      return isKnown ? offeredKey(fields, (blob) => isOwnHostKey(blob, derive)) : {}
    }
    default:
      return auth.failures < MAX_FAILURES ? {} : undefined
  }
}

/** `boolean is_signed | string algorithm | string key | [string host key] | [string signature]` */
function offeredKey(fields: Reader, isHostKey: ((blob: Buffer) => boolean) | undefined): Attempt | undefined {
  const isSigned = fields.boolean()
  const algorithm = fields.cstring().toString('latin1')
  const blob = fields.string()
  const hostBlob = isHostKey ? fields.string() : undefined
  if (isSigned) fields.string()
  if (!fields.isWhole || (hostBlob && !isHostKey!(hostBlob))) return undefined
  const fingerprint = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
  return { credentials: { KEY: `SHA256:${fingerprint} ${readable(algorithm)}` } }
}

function isOwnHostKey(blob: Buffer, derive: SessionContext['derive']): boolean {
  const type = reader(blob).string().toString('latin1')
  return (
    ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'].includes(type) &&
    hostKey(derive, type).blob.equals(blob)
  )
}

const banner = (text: string): Buffer =>
  message(MSG.authBanner, string(text.endsWith('\n') ? text : `${text}\n`), string(''))

/** The terminal is unknown before a login. */
function loginEvent(
  state: SshState,
  { version }: SshConfig,
  credentials: Readonly<Record<string, string>>,
): DecoyEvent {
  return {
    logtype: '4002',
    fields: {
      ...credentials,
      LOCALVERSION: `SSH-2.0-${version.software}`,
      REMOTEVERSION: readable(state.remoteVersion ?? ''),
      TERMSIZE: '',
      TERMTYPE: '',
    },
  }
}
