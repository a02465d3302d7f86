// What the preauthentication integrity hash of 3.1.1 covers: the negotiation, and the messages of each login.
import type { Outcome } from './call.ts'
import { writeMessage } from './codec/frame.ts'
import { COMMAND, type Header } from './codec/header.ts'
import { preauthHash } from './signing/sign.ts'
import type { Product, State } from './state.ts'

/** NEGOTIATE and its answer begin the hash of the connection ([MS-SMB2] 3.3.5.4). */
export const hashRequest = <P extends Product>(
  state: State<P>,
  { command }: Header,
  message: Buffer,
): State<P> =>
  command === COMMAND.negotiate && !state.negotiated
    ? { ...state, preauthHash: preauthHash(state.preauthHash, message) }
    : state

/** `header`: of the answer ([MS-SMB2] 3.3.5.4 and 3.3.5.5). */
export function hashAnswer<P extends Product>(
  { state, body, hashesAnswer }: Outcome<P>,
  header: Header,
): State<P> {
  if (!hashesAnswer) return state
  const message = writeMessage(header, body)
  if (header.command === COMMAND.negotiate)
    return { ...state, preauthHash: preauthHash(state.preauthHash, message) }
  const session = state.sessions.get(header.sessionId)
  if (!session) return state
  const next = { ...session, preauthHash: preauthHash(session.preauthHash, message) }
  return { ...state, sessions: new Map(state.sessions).set(session.id, next) }
}
