// CREATE on a share that may be read only, and on pipes.
import { DISPOSITION, OPTION, writeCreate } from '../../../protocol/codec/create.ts'
import { fileEvent } from '../../../protocol/events.ts'
import type { TreeNode } from '../../../protocol/tree/tree.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import type { Outcome, TreeCall } from '../call.ts'
import { MAX_OPENS, opensOf, replaceSession, withOpen } from '../../../protocol/state.ts'
import { answersTo, checkContexts, isLeaseElsewhere, leaseRequest } from './create-contexts.ts'
import { FILE_ACCESS, FOLDER_ACCESS } from '../files/access.ts'
import { readCreate, type CreateRequest } from './create-request.ts'
import { fileId } from '../ids.ts'
import { admit, type Grant, type LeaseRequest } from '../locking/admit.ts'
import {
  addOpen,
  fileOf,
  hasRoom,
  OPLOCK,
  waitForFile,
  type SharedFile,
  type SharedOpen,
} from '../locking/locking.ts'
import { lookUp, type Found } from '../files/names.ts'
import { openPipe } from './open-pipe.ts'
import { refusedOpen, RIGHT } from '../../../protocol/commands/rights.ts'

/** What generic rights stand for ([MS-DTYP] 2.4.3, for files). */
const MEANING: readonly (readonly [number, number])[] = [
  [RIGHT.genericRead, 0x00120089],
  [RIGHT.genericWrite, 0x00120116],
  [RIGHT.genericExecute, 0x001200a0],
  [RIGHT.all, 0x001f01ff],
]
/** Rights without which an open touches no content, and disturbs nobody: to read and write attributes, and to wait. */
const WITHOUT_CONTENT = 0x00100180
const MAX_IMPERSONATION = 3

export function create(call: TreeCall): Outcome {
  const request = readCreate(call.message)
  if (typeof request === 'number') return fail(call, request, { isUnread: true })
  if (opensOf(call.state).length >= MAX_OPENS) return fail(call, STATUS.tooManyOpenedFiles)
  return call.tree.kind === 'pipes' ? openPipe(call, request) : openPath(call, request)
}

function openPath(call: TreeCall, request: CreateRequest): Outcome {
  const contexts = checkContexts(request.contexts, call.negotiated.dialect)
  if (typeof contexts === 'number') return fail(call, contexts)
  const lease = leaseRequest(request, contexts, call.state.connection.client)
  const found = find(call, request, contexts, lease)
  const checked = check(request, found)
  const isTouch = touchesContent(request) && (typeof checked === 'number' || checked.type === 'file')
  if (typeof checked === 'number') {
    const wantsMore = (mapped(request.desiredAccess) & ~FOLDER_ACCESS) !== 0
    const isRefused = isTouch && checked === STATUS.accessDenied
    const events = isRefused ? [refusedOpen(call, request, found, wantsMore)] : []
    return fail(call, checked, { events })
  }
  const { path, size } = checked
  const touch = fileEvent(call, { path, action: 'open', mode: 'r', size })
  const events = isTouch && !call.isAgain ? [touch] : []
  const access = grantedAccess(request.desiredAccess, checked)
  const { locking } = call.config
  const { connection } = call.state
  const { share, oplockLevel: oplock } = request
  const isFolder = checked.type === 'directory'
  const file = fileOf(locking, checked.id)
  const wish = { file, isFolder, access, share, connection, oplock, lease: isFolder ? undefined : lease }
  const admission = admit(locking, wish, call.context.now())
  if (admission === 'violation') return fail(call, STATUS.sharingViolation)
  if (admission === 'waits')
    return waitForFile(locking, file, connection)
      ? { ...fail(call, STATUS.pending), waits: { kind: 'open', file: file.id }, events }
      : fail(call, STATUS.insufficientResources)
  return opened(call, { request, contexts, node: checked, file, access, grant: admission, events })
}

interface NewOpen {
  readonly request: CreateRequest
  readonly contexts: ReadonlyMap<string, Buffer>
  readonly node: TreeNode
  readonly file: SharedFile
  readonly access: number
  readonly grant: Grant
  readonly events: NonNullable<Outcome['events']>
}

function opened(call: TreeCall, { request, contexts, node, file, access, grant, events }: NewOpen): Outcome {
  const { machine, tree, session, state, config } = call
  const id = fileId(call.context)
  const isShared = hasRoom(config.locking)
  const { oplock, lease } = isShared ? grant : { oplock: OPLOCK.none, lease: undefined }
  const shared: SharedOpen = {
    file,
    connection: state.connection,
    sessionId: session.id,
    id,
    access,
    share: request.share,
    oplock,
    breaksUntil: undefined,
    lease,
    locks: [],
  }
  if (isShared) addOpen(config.locking, shared)
  const answers = answersTo(contexts, { node, machine, grant: { oplock, lease } })
  const body = writeCreate({
    oplockLevel: oplock,
    file: node,
    fileId: id,
    contexts: answers,
  })
  const open = {
    kind: 'file',
    id,
    treeId: tree.id,
    access,
    node,
    wasRead: false,
    shared,
    search: undefined,
    position: 0n,
  } as const
  const sent = answers.length === 0 ? body.subarray(0, -1) : body
  return succeed(replaceSession(call, withOpen(session, open)), sent, { fileId: id, events })
}

/** What the name leads to, past what may be wrong with name, level and contexts. */
function find(
  call: TreeCall,
  { name, options, impersonation, isDfs }: CreateRequest,
  contexts: ReadonlyMap<string, Buffer>,
  lease: LeaseRequest | undefined,
): Found | number {
  if (/[\\/]$/.test(name) && options & OPTION.nonDirectory) return STATUS.objectNameInvalid
  // Nobody has a handle that endured.
  if (contexts.has('DHnC') || contexts.has('DH2C')) return STATUS.objectNameNotFound
  const found = lookUp(call.machine, name, isDfs)
  if (typeof found === 'number') return found
  if (impersonation > MAX_IMPERSONATION) return STATUS.badImpersonationLevel
  if (/^[\\/]/.test(name)) return STATUS.invalidParameter
  return isLeaseElsewhere(lease, found, call.config.locking) ? STATUS.invalidParameter : found
}

/** Whether what is asked for touches content, not names and attributes alone. */
const touchesContent = ({ desiredAccess, options }: CreateRequest): boolean =>
  (mapped(desiredAccess) & ~(WITHOUT_CONTENT | 0x20008)) !== 0 && (options & OPTION.directory) === 0

/** Options that Samba does not take. */
const REFUSED_OPTIONS = 0xff100000

/** FILE_ATTRIBUTE_TEMPORARY, which no folder has. */
const TEMPORARY = 0x100

/** The node, or why it is not opened. */
function check(request: CreateRequest, found: Found | number): TreeNode | number {
  const { disposition, options, desiredAccess, attributes } = request
  if (typeof found === 'number') return found
  if (options & OPTION.openById) return STATUS.notSupported
  if ((options & REFUSED_OPTIONS) !== 0) return STATUS.invalidParameter
  if (desiredAccess & RIGHT.systemSecurity) return STATUS.privilegeNotHeld
  if (options & OPTION.directory && options & OPTION.nonDirectory) return STATUS.invalidParameter
  const wanted = mapped(desiredAccess)
  if (options & OPTION.deleteOnClose && (wanted & RIGHT.delete) === 0) return STATUS.invalidParameter
  if (disposition > DISPOSITION.overwriteIf) return STATUS.invalidParameter
  if (options & OPTION.directory && attributes & TEMPORARY) return STATUS.invalidParameter
  if (found === 'no-name') return checkMissing(request, wanted)
  const isFolder = found.type === 'directory'
  const isWrongType = isFolder && (options & OPTION.nonDirectory) !== 0
  if (options & OPTION.directory || (isFolder && !isWrongType)) return checkAsFolder(request, wanted, found)
  if (disposition === DISPOSITION.create)
    return isWrongType ? STATUS.fileIsADirectory : STATUS.objectNameCollision
  // The rights on a folder are not asked about any more.
  if (isBeyond(wanted, isWrongType ? SHARE_ACCESS : accessOf(found))) return STATUS.accessDenied
  if (isWrongType) return STATUS.fileIsADirectory
  if (!isOpening(request)) return STATUS.accessDenied
  return found
}

const accessOf = ({ type }: TreeNode): number => (type === 'file' ? FILE_ACCESS : FOLDER_ACCESS)

const isOpening = ({ disposition }: CreateRequest): boolean =>
  disposition === DISPOSITION.open || disposition === DISPOSITION.openIf

/** What `read only = yes` leaves to ask for. */
const SHARE_ACCESS = 0x001f00a9

/** Nothing is made on a share that is read only. */
function checkMissing({ disposition, options }: CreateRequest, wanted: number): number {
  const isFolder = (options & OPTION.directory) !== 0
  if (isFolder && isBeyond(wanted, SHARE_ACCESS)) return STATUS.accessDenied
  if (disposition === DISPOSITION.open) return STATUS.objectNameNotFound
  if (disposition === DISPOSITION.overwrite)
    return isFolder ? STATUS.invalidParameter : STATUS.objectNameNotFound
  if (isBeyond(wanted, SHARE_ACCESS)) return STATUS.accessDenied
  if (!isFolder) return STATUS.objectNameNotFound
  return disposition === DISPOSITION.create || disposition === DISPOSITION.openIf
    ? STATUS.accessDenied
    : STATUS.invalidParameter
}

function checkAsFolder(request: CreateRequest, wanted: number, found: TreeNode): TreeNode | number {
  if (isBeyond(wanted, SHARE_ACCESS)) return STATUS.accessDenied
  if (request.disposition === DISPOSITION.create) return STATUS.objectNameCollision
  if (!isOpening(request)) return STATUS.invalidParameter
  if (found.type === 'file') return STATUS.notADirectory
  return isBeyond(wanted, FOLDER_ACCESS) ? STATUS.accessDenied : found
}

const isBeyond = (wanted: number, allowed: number): boolean =>
  (wanted & ~(allowed | RIGHT.maximumAllowed)) !== 0

/** Rights with the generic ones spelled out. */
const mapped = (desired: number): number =>
  MEANING.reduce(
    (rights, [generic, meaning]) => (desired & generic ? rights | meaning : rights),
    desired & 0x0fffffff,
  )

const grantedAccess = (desired: number, node: TreeNode): number =>
  desired & RIGHT.maximumAllowed ? accessOf(node) : mapped(desired)
