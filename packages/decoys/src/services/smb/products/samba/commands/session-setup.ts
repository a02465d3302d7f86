// SESSION_SETUP with NTLM, inside SPNEGO or bare. No password is right: unknown users are guests (`map to guest = bad user`).
import { utf16 } from '../../../../../windows/fields.ts'
import { fileTime } from '../../../../../windows/filetime.ts'
import {
  clientVersion,
  isAnonymous,
  messageType,
  NTLM_FLAG,
  readAuthenticate,
  type Authenticate,
} from '../../../../../windows/ntlm.ts'
import { serverOffer } from '../../../../../windows/spnego.ts'
import { emptyBody } from '../../../protocol/codec/messages.ts'
import { SESSION_IS_GUEST, writeSessionSetup } from '../../../protocol/codec/session-setup.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { preauthHash } from '../../../protocol/signing/sign.ts'
import { MAX_SESSIONS, without, withSession } from '../../../protocol/state.ts'
import { closeFiles, type NegotiatedCall, type Outcome, type SessionCall } from '../call.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { bodyOf, dynamicPart } from '../codec.ts'
import { drawnId } from '../ids.ts'
import { challengeMessage, readNegotiateFlags } from '../ntlm.ts'
import { readToken, response, type Token } from '../spnego.ts'
import type { Exchange, Session, Samba } from '../state.ts'
import { endWaiting, statusAtEnd } from '../waiting.ts'
import { newSession, endLogin } from '../../../protocol/commands/login.ts'

const BINDING = 1
const NEW: Exchange = {
  demanded: undefined,
  isRaw: undefined,
  part: Buffer.alloc(0),
  challenge: undefined,
  isOem: false,
  version: undefined,
}
/** A token that comes in parts may be so long. */
const MAX_TOKEN_BYTES = 64 * 1024

export function sessionSetup(call: NegotiatedCall, before: Session | undefined): Outcome {
  const { state, header, message } = call
  const body = bodyOf(message, 25)
  if (!body) return fail(call, STATUS.invalidParameter)
  const flags = body.fields.u8()
  const securityMode = body.fields.u8()
  body.fields.skip(8)
  const bytes = dynamicPart(body, body.fields.u16(), body.fields.u16())
  if (!bytes) return fail(call, STATUS.invalidParameter)
  if (header.sessionId !== 0n && !before) return fail(call, STATUS.userSessionDeleted)
  // Nobody here has a session on another connection that could be bound to this one.
  if (flags & BINDING) return fail(call, STATUS.invalidParameter)
  if (!before && state.sessions.size >= MAX_SESSIONS) return fail(call, STATUS.insufficientResources)
  const opened = before ?? newSession<Samba>(state, BigInt(drawnId(call.context).readUInt32LE()))
  const session = { ...opened, preauthHash: preauthHash(hashOf(call, opened), message) }
  const known = session.login.exchange ?? NEW
  const demanded = known.demanded ?? { securityMode, flags }
  if (demanded.securityMode !== securityMode || demanded.flags !== flags)
    return end(call, session, STATUS.invalidParameter)
  const exchange = bytes.length > 0 ? { ...known, demanded } : known
  const token = readToken(Buffer.concat([exchange.part, bytes]), exchange)
  return answerToken(call, session, exchange, token)
}

/** A login anew begins its hash with the connection's. */
const hashOf = ({ state }: NegotiatedCall, { login, preauthHash: own }: Session): Buffer =>
  login.exchange ? own : state.preauthHash

function answerToken(call: NegotiatedCall, session: Session, exchange: Exchange, token: Token): Outcome {
  switch (token.kind) {
    case 'invalid':
      return end(call, session, STATUS.invalidParameter)
    case 'part':
      return token.bytes.length > MAX_TOKEN_BYTES
        ? end(call, session, STATUS.invalidParameter)
        : goOn(call, session, { ...exchange, part: token.bytes }, Buffer.alloc(0))
    case 'empty':
      return goOn(call, session, exchange, serverOffer(false))
    case 'without-ntlm':
      return goOn(
        call,
        session,
        { ...exchange, part: Buffer.alloc(0), isRaw: false },
        response(token.isOffered ? 'incomplete' : 'request-mic', { names: true }),
      )
    case 'ntlm':
      return answerNtlm(
        call,
        session,
        { ...exchange, part: Buffer.alloc(0), isRaw: token.isRaw },
        token.message,
      )
  }
}

function answerNtlm(call: NegotiatedCall, session: Session, exchange: Exchange, message: Buffer): Outcome {
  const type = messageType(message)
  if (type === 1 && !exchange.challenge) return challengeClient(call, session, exchange, message)
  if (type === 3 && exchange.challenge)
    return authenticate(call, session, exchange, exchange.challenge, message)
  return end(call, session, STATUS.invalidParameter)
}

function goOn(call: NegotiatedCall, session: Session, exchange: Exchange, token: Buffer): Outcome {
  const next = { ...session, login: { ...session.login, exchange } }
  return {
    state: withSession(call.state, next),
    status: STATUS.moreProcessingRequired,
    body: writeSessionSetup(0, token),
    sessionId: session.id,
    hashesAnswer: true,
  }
}

/** A login that fails takes its session along. The first answer names no session. */
function end(call: NegotiatedCall, session: Session, status: number): Outcome {
  const sessions = without(call.state.sessions, session.id)
  closeFiles(call, session)
  return fail({ state: { ...call.state, sessions } }, status)
}

const CHALLENGE_BYTES = 8
/** Those without a name have it, too. */
const KEY_OF_GUESTS = Buffer.alloc(16)

function challengeClient(
  call: NegotiatedCall,
  session: Session,
  exchange: Exchange,
  message: Buffer,
): Outcome {
  const { machine, context } = call
  const asked = readNegotiateFlags(message)
  if (asked === undefined) return end(call, session, STATUS.invalidParameter)
  const challenge = context.random(CHALLENGE_BYTES)
  const answer = challengeMessage(asked, { machine, challenge, time: fileTime(context.now()) })
  const isOem = (asked & NTLM_FLAG.unicode) === 0
  const next = { ...exchange, challenge, isOem, version: clientVersion(message, asked) }
  return goOn(
    call,
    session,
    next,
    exchange.isRaw ? answer : response('incomplete', { names: true, token: answer }),
  )
}

function authenticate(
  call: NegotiatedCall,
  session: Session,
  exchange: Exchange,
  challenge: Buffer,
  message: Buffer,
): Outcome {
  const read = readAuthenticate(message)
  if (!read) return end(call, session, STATUS.invalidParameter)
  const login = exchange.isOem ? withNamesOfBytes(read) : read
  const { status, isGuest } = verdict(call, login)
  const { version } = exchange
  const facts = { login, message, challenge, version, status, unknownKey: KEY_OF_GUESTS }
  const { events, session: open } = endLogin<Samba>(call, session, facts)
  if (!open) return { ...end(call, session, status), events }
  const isAnew = session.login.identity !== undefined
  const next = { ...open, signingKey: session.signingKey ?? open.signingKey }
  const body = writeSessionSetup(
    isGuest && !isAnew ? SESSION_IS_GUEST : 0,
    exchange.isRaw ? Buffer.alloc(0) : response('accepted'),
  )
  return succeed(withSession(call.state, next), body, { sessionId: session.id, events })
}

/** What becomes of a login: `map to guest = bad user`, or `never`. */
function verdict(
  { machine }: NegotiatedCall,
  login: Authenticate,
): { readonly status: number; readonly isGuest: boolean } {
  if (isAnonymous(login)) return { status: STATUS.success, isGuest: false }
  const isKnown = machine.users.includes(login.user.toLowerCase())
  const isGuest = !isKnown && machine.isGuestEnabled
  return { status: isGuest ? STATUS.success : STATUS.logonFailure, isGuest }
}

/** Names that came in two bytes a character end at their first zero. */
function withNamesOfBytes(login: Authenticate): Authenticate {
  if ((login.flags & NTLM_FLAG.unicode) === 0) return login
  const cut = (text: string): string => utf16(text).toString('latin1').replace(/\0.*$/s, '')
  return { ...login, user: cut(login.user), domain: cut(login.domain), workstation: cut(login.workstation) }
}

export function logoff(call: SessionCall): Outcome {
  const { id } = call.session
  if (!bodyOf(call.message, 4)) return fail(call, STATUS.invalidParameter)
  const sessions = without(call.state.sessions, id)
  closeFiles(call, call.session)
  const { state, finished } = endWaiting(
    { ...call.state, sessions },
    statusAtEnd,
    ({ sessionId }) => sessionId === id,
  )
  return succeed(state, emptyBody(), { finishedBefore: finished })
}
