// User authentication (RFC 4252), where nobody is ever let in. Order, counting and words are those of OpenSSH.
import { createHash } from 'node:crypto'
import type { DecoyEvent, SessionContext, Step } from '../../session.ts'
import { message, reader, string, type Reader } from './codec/fields.ts'
import { disconnect, MSG, unimplemented } from './codec/messages.ts'
import { minimumDelayMs, passwordDelayMs } from './delays.ts'
import { hostKey } from './hostkeys/host-keys.ts'
import { close, say } from './say.ts'
import type { AuthState, SshPersonality, SshState } from './state.ts'

/** OpenSSH's MaxAuthTries. */
const MOST_FAILURES = 6
/** What Debian's default configuration offers. */
const METHODS = 'publickey,password'
/** A longer password is refused before PAM hears of it. */
const PASSWORD_BYTES = 1024

/** A message after the key exchange. `sequence`: of the packet that brought it. */
export function onAuthMessage(
  state: SshState,
  payload: Buffer,
  sequence: number,
  personality: SshPersonality,
  context: SessionContext,
): Step<SshState> {
  const [type] = payload
  if (type === MSG.serviceRequest) return onServiceRequest(state, payload, context)
  if (type === MSG.authRequest && state.auth.isServiceAccepted) {
    return onAuthRequest(state, payload, personality, context)
  }
  // Also a KEXINIT: before a login OpenSSH does not exchange keys anew.
  return say(state, context, unimplemented(sequence))
}

function onServiceRequest(state: SshState, payload: Buffer, context: SessionContext): Step<SshState> {
  const fields = reader(payload.subarray(1))
  const service = fields.cstring()
  if (!fields.isWhole) return close(state)
  if (service.toString('latin1') !== 'ssh-userauth') {
    return close(state, context, disconnect(`bad service request ${service.toString()}`))
  }
  const auth = { ...state.auth, isServiceAccepted: true }
  return say({ ...state, auth }, context, message(MSG.serviceAccept, string(service)))
}

function onAuthRequest(
  state: SshState,
  payload: Buffer,
  personality: SshPersonality,
  context: SessionContext,
): Step<SshState> {
  const fields = reader(payload.subarray(1))
  const [user, service, method] = [fields.cstring(), fields.cstring(), fields.cstring()].map(String) as [
    string,
    string,
    string,
  ]
  if (!fields.isIntact) return close(state)
  const { auth } = state
  const isFirst = auth.attempts === 0
  if (!isFirst && (user !== auth.user || service !== auth.service)) {
    const change = `(${auth.user},${auth.service}) -> (${user},${service})`
    return close(state, context, disconnect(`Change of username or service not allowed: ${change}`))
  }
  const attempt = attemptWith(method, fields, state, personality, context)
  if (!attempt) return close(state)

  const isFree = isFirst && method === 'none'
  const next: AuthState = {
    ...auth,
    attempts: auth.attempts + 1,
    failures: auth.failures + (isFree ? 0 : 1),
    user,
    service,
    isLoginTried: auth.isLoginTried || attempt.fields !== undefined,
  }
  const isOver = next.failures >= MOST_FAILURES
  const guess = [user, JSON.stringify(attempt.fields ?? {})]
  const isRepeat =
    attempt.fields !== undefined &&
    personality.repeatedGuesses.consumeRepeat(context.src.host, guess, context.now())
  if (isOver && attempt.fields) personality.repeatedGuesses.remember(context.src.host, guess, context.now())
  const step = say(
    { ...state, auth: next },
    context,
    ...(isFirst && personality.banner ? [banner(personality.banner)] : []),
    isOver
      ? disconnect('Too many authentication failures')
      : message(MSG.authFailure, string(METHODS), Buffer.from([0])),
  )
  return {
    ...step,
    ...(attempt.fields &&
      !isRepeat && { events: [login(state, personality, { USERNAME: user, ...attempt.fields })] }),
    ...(personality.passwordDelayMs > 0 && {
      delayMs: attempt.asksPam
        ? passwordDelayMs(personality.passwordDelayMs, user, context)
        : minimumDelayMs(user, context),
    }),
    ...(isOver && { close: 'end' as const }),
  }
}

interface Attempt {
  /** What the event says of it; undefined when no credential was shown. */
  readonly fields?: Readonly<Record<string, string>>
  readonly asksPam?: boolean
}

/** Undefined when the request is malformed, upon which OpenSSH closes. */
function attemptWith(
  method: string,
  fields: Reader,
  { auth }: SshState,
  { version }: SshPersonality,
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
      const asksPam = !isChange && password.length > 0 && password.length <= PASSWORD_BYTES
      return { fields: { PASSWORD: password.toString() }, asksPam }
    }
    case 'publickey':
      return offeredKey(fields, undefined)
    case 'publickey-hostbound-v00@openssh.com': {
      const isKnown = version.extensions.some(([name]) => name === 'publickey-hostbound@openssh.com')
      return isKnown ? offeredKey(fields, (blob) => isOurs(blob, derive)) : {}
    }
    default:
      return auth.failures < MOST_FAILURES ? {} : undefined
  }
}

/** `boolean is_signed | string algorithm | string key | [string host key] | [string signature]` */
function offeredKey(fields: Reader, isHost: ((blob: Buffer) => boolean) | undefined): Attempt | undefined {
  const isSigned = fields.boolean()
  const algorithm = fields.cstring().toString('latin1')
  const blob = fields.string()
  const host = isHost ? fields.string() : undefined
  if (isSigned) fields.string()
  if (!fields.isWhole || (host && !isHost!(host))) return undefined
  const fingerprint = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
  return { fields: { KEY: `SHA256:${fingerprint} ${algorithm}` } }
}

/** Whether a host-bound request names one of our host keys. */
function isOurs(blob: Buffer, derive: SessionContext['derive']): boolean {
  const type = reader(blob).string().toString('latin1')
  return (
    ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'].includes(type) &&
    hostKey(derive, type).blob.equals(blob)
  )
}

const banner = (text: string): Buffer =>
  message(MSG.authBanner, string(text.endsWith('\n') ? text : `${text}\n`), string(''))

/** 4002: no terminal is known before a login. */
function login(
  state: SshState,
  { version }: SshPersonality,
  credential: Readonly<Record<string, string>>,
): DecoyEvent {
  return {
    logtype: '4002',
    fields: {
      ...credential,
      LOCALVERSION: `SSH-2.0-${version.software}`,
      REMOTEVERSION: state.remoteVersion ?? '',
      TERMSIZE: '',
      TERMTYPE: '',
    },
  }
}
