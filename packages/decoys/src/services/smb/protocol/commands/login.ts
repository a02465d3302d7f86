// The end of a login by NTLM: what is reported, and what the session is from then on.
import { clientVersion, isAnonymous, type Authenticate } from '../../../../windows/ntlm.ts'
import { exportedSessionKey } from '../../../../windows/netntlm.ts'
import type { DecoyEvent } from '../../../../session/session.ts'
import type { NegotiatedCall } from '../call.ts'
import { STATUS } from '../codec/status.ts'
import { loginEvent, systemName, withShortNames } from '../events.ts'
import { signingKey } from '../signing/sign.ts'
import type { Product, Session } from '../state.ts'

/** Of a client that has not said anything. */
export const NOBODY = { identity: undefined, exchange: undefined } as const

export const newSession = <P extends Product>(
  { preauthHash }: { readonly preauthHash: Buffer },
  id: bigint,
): Session<P> => ({
  id,
  login: NOBODY,
  preauthHash,
  signingKey: undefined,
  trees: new Map(),
  opens: new Map(),
})

interface LoginFacts {
  readonly login: Authenticate
  /** The message that has it. */
  readonly message: Buffer
  readonly challenge: Buffer
  /** As its first message said. */
  readonly version: string | undefined
  readonly status: number
  /** The key of those whose own only they know. */
  readonly unknownKey?: Buffer
}

/** The session is none when the login failed. Once its key is made, it keeps no hash of its own. */
export function endLogin<P extends Product>(
  { state, machine, negotiated: { dialect } }: NegotiatedCall<P>,
  before: Session<P>,
  { login, message, challenge, version, status, unknownKey }: LoginFacts,
): { readonly events: readonly DecoyEvent[]; readonly session: Session<P> | undefined } {
  const system = systemName(version ?? clientVersion(message, login.flags))
  const short = withShortNames(login)
  const events = [
    loginEvent({ login: short, challenge, dialect, computer: machine.netbiosName, system, status }),
  ]
  if (status !== STATUS.success) return { events, session: undefined }
  const key = exportedSessionKey(login, challenge) ?? unknownKey
  const isNobody = isAnonymous(login)
  const { user, domain, workstation } = short
  const identity = {
    isAnonymous: isNobody,
    user: isNobody ? 'ANONYMOUS LOGON' : user,
    domain,
    workstation,
    system,
  }
  const session = {
    ...before,
    login: { identity, exchange: undefined },
    signingKey: key && signingKey(key, dialect, before.preauthHash),
    preauthHash: state.preauthHash,
  }
  return { events, session }
}
