// From a request to its handler, past the checks that Samba makes: flags, session, signature, tree.
import { DIALECT } from '../../protocol/codec/dialect.ts'
import { FILE_ID_AT } from '../../protocol/codec/file-requests.ts'
import { COMMAND, FLAG, HEADER_BYTES } from '../../protocol/codec/header.ts'
import { STATUS } from '../../protocol/codec/status.ts'
import { disconnect, fail } from '../../protocol/call.ts'
import {
  openOf,
  type Call,
  type NegotiatedCall,
  type Outcome,
  type SessionCall,
  type TreeCall,
} from './call.ts'
import { create } from './commands/create.ts'
import { queryDirectory } from './commands/find.ts'
import { ioctl } from './commands/ioctl.ts'
import { lock } from './commands/locks.ts'
import { negotiate } from './commands/negotiate.ts'
import { queryInfo } from './commands/query-info.ts'
import { close, read, write } from './commands/read-write.ts'
import { logoff, sessionSetup } from './commands/session-setup.ts'
import { setInfo } from './commands/set-info.ts'
import { oplockBreak } from './commands/oplock-break.ts'
import { echo, flush } from './commands/simple.ts'
import { isSignedBy } from '../../protocol/signing/sign.ts'
import type { Chain } from '../../protocol/state.ts'
import type { Session } from './state.ts'
import { treeConnect, treeDisconnect } from './commands/tree-connect.ts'
import { changeNotify } from './waiting.ts'
import { fileIdOf } from '../../protocol/codec/file-id.ts'

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

const DFS = 0x10000000
const REPLAY = 0x20000000
const PRIORITY = 0x70

function allowedFlags(dialect: number): number {
  const replay = dialect >= DIALECT.v300 ? REPLAY : 0
  const priority = dialect === DIALECT.v311 ? PRIORITY : 0
  return FLAG.related | FLAG.signed | DFS | replay | priority
}

export function route(call: Call, chain: Chain | undefined): Outcome {
  const { state, header } = call
  const { command, flags } = header
  const { negotiated } = state
  if ((command === COMMAND.negotiate) === (negotiated !== undefined)) return disconnect(call)
  if ((flags & ~allowedFlags(negotiated?.dialect ?? 0)) !== 0) return fail(call, STATUS.invalidParameter)
  if (command > COMMAND.oplockBreak) return fail(call, STATUS.invalidParameter)
  if (!negotiated) return negotiate(call)
  const isRelated = (flags & FLAG.related) !== 0
  const session = state.sessions.get(isRelated ? (chain?.sessionId ?? 0n) : header.sessionId)
  const inDialect = { ...call, negotiated }
  const refusal = checkSignature(inDialect, session)
  if (refusal) return refusal
  if (isRelated && !session) return fail(call, STATUS.invalidParameter)
  if (command === COMMAND.sessionSetup) return sessionSetup(inDialect, session)
  if (command === COMMAND.echo) return echo(call)
  if (!session) return fail(call, STATUS.userSessionDeleted)
  const { identity } = session.login
  if (!identity || session.login.exchange) return fail(call, STATUS.invalidHandle)
  const inSession: SessionCall = {
    ...inDialect,
    session,
    identity,
    relatedFile: isRelated ? chain?.fileId : undefined,
  }
  if (command === COMMAND.logoff) return logoff(inSession)
  if (command === COMMAND.treeConnect) return treeConnect(inSession)
  const tree = session.trees.get(isRelated ? (chain?.treeId ?? 0) : header.treeId)
  if (!tree) return fail(call, STATUS.networkNameDeleted)
  const inTree = { ...inSession, tree }
  const missing = missingFile(inTree, isRelated ? chain?.failure : undefined)
  return missing ?? TREE_COMMANDS[command]?.(inTree) ?? fail(call, STATUS.invalidParameter)
}

/** Files are looked for first, whatever else the request lacks. */
function missingFile(call: TreeCall, failure: number | undefined): Outcome | undefined {
  const { message, header } = call
  const at = FILE_ID_AT[header.command]
  if (at === undefined) return undefined
  const body = message.subarray(HEADER_BYTES, HEADER_BYTES + (message.readUInt16LE(HEADER_BYTES) & ~1))
  if (body.length < at + 16) return fail(call, STATUS.invalidParameter)
  if (openOf(call, fileIdOf(body.subarray(at, at + 16)))) return undefined
  if (failure !== undefined) return fail(call, failure)
  return header.command === COMMAND.ioctl ? undefined : fail(call, STATUS.fileClosed)
}

/** A signed request needs a session, and the right signature. */
function checkSignature(call: NegotiatedCall, session: Session | undefined): Outcome | undefined {
  const { header, message, negotiated } = call
  if ((header.flags & FLAG.signed) === 0) return undefined
  if (!session) return fail(call, STATUS.userSessionDeleted)
  const { signingKey } = session
  return signingKey && isSignedBy(message, signingKey, negotiated.signing)
    ? undefined
    : fail(call, STATUS.accessDenied)
}
