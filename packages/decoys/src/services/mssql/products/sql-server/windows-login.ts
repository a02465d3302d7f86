// A login that Windows checks: SPNEGO and NTLM in tokens of SSPI ([MS-TDS] 2.2.6.8). Nobody's password is right.
import type { Story } from '../../../../machine/story.ts'
import type { DecoyEvent, SessionContext } from '../../../../session/session.ts'
import { fileTime } from '../../../../windows/filetime.ts'
import {
  challengeMessage,
  isAnonymous,
  messageType,
  negotiateFlags,
  readAuthenticate,
} from '../../../../windows/ntlm.ts'
import { readClientToken, serverResponse } from '../../../../windows/spnego.ts'
import { windowsLogin } from './events.ts'
import type { Login } from '../../protocol/login.ts'
import { ANONYMOUS } from '../../protocol/tokens.ts'

export type Negotiation =
  /** NTLM is still to begin: SPNEGO may have offered other mechanisms first. */
  { readonly name: 'begun' } | { readonly name: 'challenged'; readonly challenge: Buffer }

export type NegotiationOutcome =
  | { readonly name: 'goes-on'; readonly negotiation: Negotiation; readonly answer: Buffer }
  | {
      readonly name: 'refused'
      readonly isAnonymous: boolean
      readonly user: string
      readonly events: readonly DecoyEvent[]
    }

const CHALLENGE_BYTES = 8
const NEGOTIATE = 1
const AUTHENTICATE = 3

/** Takes the client's next token. */
export function negotiate(
  login: Login,
  negotiation: Negotiation,
  bytes: Buffer,
  story: Story,
  context: SessionContext,
): NegotiationOutcome {
  const token = readClientToken(bytes)
  const isForOther = token?.kind === 'init' && token.offersNtlm && !token.isNtlmFirst
  if (isForOther && negotiation.name === 'begun')
    return { name: 'goes-on', negotiation, answer: serverResponse('incomplete', { names: true }) }
  const inner = token?.kind === 'init' && !token.isNtlmFirst ? undefined : token?.token
  const type = inner && messageType(inner)
  if (inner && type === NEGOTIATE && negotiation.name === 'begun') {
    const challenge = context.random(CHALLENGE_BYTES)
    const message = challengeOf(inner, challenge, story, context)
    const answer =
      token?.kind === 'raw' ? message : serverResponse('incomplete', { names: true, token: message })
    return { name: 'goes-on', negotiation: { name: 'challenged', challenge }, answer }
  }
  const isAnswer = type === AUTHENTICATE && negotiation.name === 'challenged'
  const authenticate = inner && isAnswer ? readAuthenticate(inner) : undefined
  const challenge = negotiation.name === 'challenged' ? negotiation.challenge : Buffer.alloc(0)
  return {
    name: 'refused',
    isAnonymous: authenticate !== undefined && isAnonymous(authenticate),
    user: ANONYMOUS,
    events: [windowsLogin(login, authenticate, challenge)],
  }
}

const challengeOf = (
  message: Buffer,
  challenge: Buffer,
  { names, edition }: Story,
  { now }: SessionContext,
): Buffer =>
  challengeMessage(negotiateFlags(message), { names, challenge, time: fileTime(now()), build: edition.build })

/** The client left in the middle: what a scanner does that asks for names. */
export const abandonedLogin = (login: Login): readonly DecoyEvent[] => [
  windowsLogin(login, undefined, Buffer.alloc(0)),
]
