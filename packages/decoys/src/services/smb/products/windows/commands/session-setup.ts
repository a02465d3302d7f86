// SESSION_SETUP ([MS-SMB2] 3.3.5.5) with NTLM. No password is right: unknown users are guests if the settings say so.
import { findAccount, GUEST } from '../accounts.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import type { NegotiatedCall, Outcome, SessionCall } from '../call.ts'
import { fileTime } from '../../../../../windows/filetime.ts'
import { emptyBody } from '../../../protocol/codec/messages.ts'
import {
  readSessionSetup,
  SESSION_IS_GUEST,
  SESSION_IS_NULL,
  writeSessionSetup,
} from '../../../protocol/codec/session-setup.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import {
  challengeMessage,
  clientVersion,
  isAnonymous,
  messageType,
  negotiateFlags,
  readAuthenticate,
  type Authenticate,
} from '../../../../../windows/ntlm.ts'
import { readClientToken, serverResponse } from '../../../../../windows/spnego.ts'
import { preauthHash } from '../../../protocol/signing/sign.ts'
import { MAX_SESSIONS, without, withSession } from '../../../protocol/state.ts'
import type { SmbSession, Windows } from '../state.ts'
import { NOBODY, newSession, endLogin } from '../../../protocol/commands/login.ts'

export function sessionSetup(call: NegotiatedCall): Outcome {
  const { state, header, message } = call
  const request = readSessionSetup(message)
  if (!request) return fail(call, STATUS.invalidParameter)
  // Nobody here has a session on another connection that could be bound to this one.
  if (request.isBinding) return fail(call, STATUS.requestNotAccepted)
  const known = state.sessions.get(header.sessionId)
  if (header.sessionId !== 0n && !known) return fail(call, STATUS.userSessionDeleted)
  if (!known && state.sessions.size >= MAX_SESSIONS) return fail(call, STATUS.insufficientResources)
  const before = known ?? newSession<Windows>(state, newId(call))
  // A session that is set up anew begins its hash with the connection's.
  const session = { ...before, preauthHash: preauthHash(before.preauthHash, message) }
  const token = readClientToken(request.token)
  if (!token) return endSession(call, session, STATUS.invalidParameter)
  if (token.kind === 'init' && !token.offersNtlm) return endSession(call, session, STATUS.invalidParameter)
  const isForOther = token.kind === 'init' && !token.isNtlmFirst
  const inner = isForOther ? undefined : token.token
  if (!inner) {
    const response = serverResponse('incomplete', { names: true })
    return goOn(call, { ...session, login: NOBODY }, response)
  }
  const isRaw = token.kind === 'raw'
  switch (messageType(inner)) {
    case 1:
      return challengeClient(call, session, inner, isRaw)
    case 3:
      return authenticate(call, session, inner, isRaw)
    default:
      return endSession(call, session, STATUS.invalidParameter)
  }
}

function newId({ state, context }: NegotiatedCall): bigint {
  const [high = 0, low = 0] = context.random(2)
  return (BigInt(high) << 40n) | (BigInt(0x400 + low) << 32n) | BigInt(4 * state.lastNumber + 1)
}

function goOn(call: NegotiatedCall, session: SmbSession, token: Buffer): Outcome {
  return {
    state: { ...withSession(call.state, session), lastNumber: call.state.lastNumber + 1 },
    status: STATUS.moreProcessingRequired,
    body: writeSessionSetup(0, token),
    sessionId: session.id,
    hashesAnswer: true,
  }
}

function endSession(call: NegotiatedCall, { id }: SmbSession, status: number): Outcome {
  const sessions = without(call.state.sessions, id)
  return fail({ state: { ...call.state, sessions } }, status, { sessionId: id })
}

const CHALLENGE_BYTES = 8

function challengeClient(call: NegotiatedCall, session: SmbSession, token: Buffer, isRaw: boolean): Outcome {
  const { machine, context } = call
  const challenge = context.random(CHALLENGE_BYTES)
  const flags = negotiateFlags(token)
  const answer = challengeMessage(flags, {
    names: machine.names,
    challenge,
    time: fileTime(context.now()),
    build: machine.edition.build,
  })
  const login = { identity: undefined, exchange: { challenge, version: clientVersion(token, flags) } }
  const wrapped = isRaw ? answer : serverResponse('incomplete', { names: true, token: answer })
  return goOn(call, { ...session, login }, wrapped)
}

function authenticate(call: NegotiatedCall, session: SmbSession, token: Buffer, isRaw: boolean): Outcome {
  const login = readAuthenticate(token)
  const { exchange } = session.login
  if (!login || !exchange) return endSession(call, session, STATUS.invalidParameter)
  const { challenge, version } = exchange
  const status = verdict(call, login)
  const facts = { login, message: token, challenge, version, status }
  const { events, session: open } = endLogin<Windows>(call, session, facts)
  if (!open) return { ...endSession(call, session, status), events }
  const body = writeSessionSetup(
    isAnonymous(login) ? SESSION_IS_NULL : SESSION_IS_GUEST,
    isRaw ? Buffer.alloc(0) : serverResponse('accepted'),
  )
  return succeed(withSession(call.state, open), body, { sessionId: session.id, events })
}

/** What becomes of a login ([MS-NLMP] 3.2.5.1.2; the local accounts are those of `lookupsid`). */
function verdict({ machine }: NegotiatedCall, login: Authenticate): number {
  if (isAnonymous(login)) return STATUS.success
  const account = findAccount(machine.accounts, login.user)
  const isGuest = account === undefined || account.name === GUEST
  if (!isGuest) return STATUS.logonFailure
  if (machine.isGuestEnabled) return STATUS.success
  return account ? STATUS.accountDisabled : STATUS.logonFailure
}

/** LOGOFF ([MS-SMB2] 3.3.5.6). */
export function logoff(call: SessionCall): Outcome {
  const sessions = without(call.state.sessions, call.session.id)
  const waiting = new Map(
    [...call.state.waiting].filter(([, { sessionId }]) => sessionId !== call.session.id),
  )
  return { state: { ...call.state, sessions, waiting }, status: STATUS.success, body: emptyBody() }
}
