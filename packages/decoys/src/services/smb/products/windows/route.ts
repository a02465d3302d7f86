// From a request to its handler, past the checks of [MS-SMB2] 3.3.5.2: negotiation, credits, signature, session, tree.
import { disconnect, fail } from '../../protocol/call.ts'
import type { Call, NegotiatedCall, Outcome, SessionCall, TreeCall } from './call.ts'
import { FILE_ID_AT } from '../../protocol/codec/file-requests.ts'
import { COMMAND, FLAG, HEADER_BYTES } from '../../protocol/codec/header.ts'
import { STATUS } from '../../protocol/codec/status.ts'
import { create } from './commands/create.ts'
import { ioctl } from './commands/ioctl.ts'
import { negotiate } from './commands/negotiate.ts'
import { queryDirectory, queryInfo } from './commands/query.ts'
import { close, read, write } from './commands/read-write.ts'
import { logoff, sessionSetup } from './commands/session-setup.ts'
import { echo, flush, lock, oplockBreak, setInfo } from './commands/simple.ts'
import { treeConnect, treeDisconnect } from './commands/tree-connect.ts'
import { changeNotify } from './commands/waiting.ts'
import { isSignedBy } from '../../protocol/signing/sign.ts'
import type { SmbSession } from './state.ts'
import type { Chain } from '../../protocol/state.ts'

const TREE_COMMANDS: Readonly<Record<number, (call: TreeCall) => Outcome>> = {
  [COMMAND.treeDisconnect]: treeDisconnect,
  [COMMAND.create]: create,
  [COMMAND.close]: close,
  [COMMAND.flush]: flush,
  [COMMAND.read]: read,
  [COMMAND.write]: write,
  [COMMAND.lock]: lock,
  [COMMAND.ioctl]: ioctl,
  [COMMAND.queryDirectory]: queryDirectory,
  [COMMAND.changeNotify]: changeNotify,
  [COMMAND.queryInfo]: queryInfo,
  [COMMAND.setInfo]: setInfo,
  [COMMAND.oplockBreak]: oplockBreak,
}

export function route(call: Call, chain: Chain | undefined): Outcome {
  const { state, header } = call
  const { command } = header
  // A command that does not exist has no answer ([MS-SMB2] 3.3.5.2.6).
  if (command > COMMAND.oplockBreak) return disconnect(call)
  if (command === COMMAND.negotiate) return negotiate(call)
  const { negotiated } = state
  if (!negotiated) return disconnect(call)
  const inDialect = { ...call, negotiated }
  const sessionId = chain?.sessionId ?? header.sessionId
  const session = state.sessions.get(sessionId)
  const identity = session?.login.identity
  const refusal = checkSignature(inDialect, session)
  if (refusal) return refusal
  if (command === COMMAND.sessionSetup) return sessionSetup(inDialect)
  if (command === COMMAND.echo) return echo(call)
  if (!identity || !session) return fail(call, STATUS.userSessionDeleted)
  const inSession = { ...inDialect, session, identity, relatedFile: chain?.fileId }
  if (command === COMMAND.logoff) return logoff(inSession)
  if (command === COMMAND.treeConnect) return treeConnect(inSession)
  if (chain?.failure !== undefined) return fail(call, chain.failure)
  if (chain && chain.fileId === undefined && namesRelatedFile(inSession))
    return fail(call, STATUS.invalidHandle)
  return routeToTree(inSession, chain?.treeId ?? header.treeId)
}

/** Whether a request means the file of the one before it. */
function namesRelatedFile({ header, message }: SessionCall): boolean {
  const at = FILE_ID_AT[header.command]
  if (at === undefined || header.command === COMMAND.ioctl) return false
  const id = message.subarray(HEADER_BYTES + at, HEADER_BYTES + at + 16)
  return id.length === 16 && id.every((byte) => byte === 0xff)
}

function routeToTree(call: SessionCall, treeId: number): Outcome {
  const { header, session } = call
  const handle = TREE_COMMANDS[header.command]
  if (!handle) return fail(call, STATUS.invalidParameter)
  const tree = session.trees.get(treeId)
  if (!tree) return fail(call, STATUS.networkNameDeleted)
  return handle({ ...call, tree })
}

/**
 * Signatures that can be checked must be right ([MS-SMB2] 3.3.5.2.4). Those of a guest cannot: its key comes from a password
 * that this machine does not know.
 */
function checkSignature(call: NegotiatedCall, session: SmbSession | undefined): Outcome | undefined {
  const { header, message, negotiated } = call
  if ((header.flags & FLAG.signed) === 0 || !session?.login.identity) return undefined
  const { signingKey } = session
  const isRight = signingKey !== undefined && isSignedBy(message, signingKey, negotiated.signing)
  return isRight ? undefined : fail(call, STATUS.accessDenied)
}
