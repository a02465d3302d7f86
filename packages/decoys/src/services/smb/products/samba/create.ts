// CREATE on a share that may be read only, and on pipes.
import { writeCreate } from '../../codec/create.ts'
import { fileEvent } from '../../events.ts'
import type { TreeNode } from '../../tree/tree.ts'
import { DISPOSITION, OPTION } from '../../codec/create.ts'
import { STATUS } from '../../codec/status.ts'
import { fail, replaceSession, succeed, type Outcome, type TreeCall } from './call.ts'
import { answersTo, checkContexts, isLeaseElsewhere, type Granted } from './create-contexts.ts'
import { FILE_ACCESS, FOLDER_ACCESS } from './access.ts'
import { readCreate, type CreateRequest } from './create-request.ts'
import { fileId } from './ids.ts'
import { lookUp, type Found } from './names.ts'
import { openPipe } from './open-pipe.ts'
import { MAX_OPENS, opensOf, withOpen, type OpenFile } from './state.ts'
import { whoIn } from './who.ts'

const RIGHT = {
  readData: 0x1,
  execute: 0x20,
  delete: 0x10000,
  systemSecurity: 0x1000000,
  maximumAllowed: 0x2000000,
  all: 0x10000000,
  genericExecute: 0x20000000,
  genericWrite: 0x40000000,
  genericRead: 0x80000000,
}
/** What generic rights stand for ([MS-DTYP] 2.4.3, for files). */
const MEANING: readonly (readonly [number, number])[] = [
  [RIGHT.genericRead, 0x00120089],
  [RIGHT.genericWrite, 0x00120116],
  [RIGHT.genericExecute, 0x001200a0],
  [RIGHT.all, 0x001f01ff],
]
/** Rights without which an open touches no content, and disturbs nobody: to read and write attributes, and to wait. */
const WITHOUT_CONTENT = 0x00100180
const MOST_IMPERSONATION = 3

export function create(call: TreeCall): Outcome {
  const request = readCreate(call.message)
  if (typeof request === 'number') return fail(call, request, { isUnread: true })
  if (opensOf(call.state).length >= MAX_OPENS) return fail(call, STATUS.tooManyOpenedFiles)
  return call.tree.kind === 'pipes' ? openPipe(call, request) : openPath(call, request)
}

function openPath(call: TreeCall, request: CreateRequest): Outcome {
  const { desiredAccess } = request
  const contexts = checkContexts(request.contexts, call.negotiated.dialect)
  if (typeof contexts === 'number') return fail(call, contexts)
  const found = find(call, request, contexts)
  const checked = check(call, request, found)
  const isTouch = touchesContent(request) && (typeof checked === 'number' || checked.type === 'file')
  if (typeof checked === 'number') {
    const events = isTouch && checked === STATUS.accessDenied ? [refused(call, request, found)] : []
    return fail(call, checked, { events })
  }
  const id = fileId(call.context)
  const access = grantedAccess(desiredAccess, checked)
  const granted = answersTo(contexts, request, {
    node: checked,
    access,
    machine: call.machine,
    opens: opensOf(call.state),
  })
  const open = newOpen(call, request, { id, access, node: checked, granted })
  const touch = fileEvent(whoIn(call), { path: checked.path, action: 'open', mode: 'r', size: checked.size })
  const body = writeCreate({
    oplockLevel: granted.oplock,
    times: checked.times,
    allocationSize: checked.allocationSize,
    size: checked.size,
    attributes: checked.attributes,
    fileId: id,
    contexts: granted.answers,
  })
  const sent = granted.answers.length === 0 ? body.subarray(0, -1) : body
  return succeed(replaceSession(call, withOpen(call.session, open)), sent, {
    fileId: id,
    events: isTouch ? [touch] : [],
  })
}

/** What the name leads to, past what may be wrong with name, level and contexts. */
function find(call: TreeCall, request: CreateRequest, contexts: ReadonlyMap<string, Buffer>): Found | number {
  const { name, options, impersonation, isDfs } = request
  if (/[\\/]$/.test(name) && options & OPTION.nonDirectory) return STATUS.objectNameInvalid
  // Nobody has a handle that endured.
  if (contexts.has('DHnC') || contexts.has('DH2C')) return STATUS.objectNameNotFound
  const found = lookUp(call.machine, name, isDfs)
  if (typeof found === 'number') return found
  if (impersonation > MOST_IMPERSONATION) return STATUS.badImpersonationLevel
  if (/^[\\/]/.test(name)) return STATUS.invalidParameter
  return isLeaseElsewhere(request, contexts, found, opensOf(call.state)) ? STATUS.invalidParameter : found
}

const newOpen = (
  { tree }: TreeCall,
  { share }: CreateRequest,
  {
    id,
    access,
    node,
    granted,
  }: { readonly id: Buffer; readonly access: number; readonly node: TreeNode; readonly granted: Granted },
): OpenFile => ({
  kind: 'file',
  id,
  treeId: tree.id,
  access,
  node,
  share,
  wasRead: false,
  oplock: granted.oplock,
  lease: granted.lease,
  locks: [],
  search: undefined,
  position: 0n,
})

/** Whether what is asked for touches content, not names and attributes alone. */
const touchesContent = ({ desiredAccess, options }: CreateRequest): boolean =>
  (mapped(desiredAccess) & ~(WITHOUT_CONTENT | 0x20008)) !== 0 && (options & OPTION.directory) === 0

function refused(call: TreeCall, { name, desiredAccess, disposition }: CreateRequest, found: Found | number) {
  const node = typeof found === 'object' ? found : undefined
  const action = !node ? 'create' : desiredAccess & RIGHT.delete ? 'delete' : 'open'
  const isChange = (mapped(desiredAccess) & ~FOLDER_ACCESS) !== 0 || disposition !== DISPOSITION.open
  return fileEvent(whoIn(call), {
    path: node?.path ?? name,
    action,
    mode: isChange ? 'w' : 'r',
    size: node?.size ?? 0,
    status: STATUS.accessDenied,
  })
}

/** Options that Samba does not take. */
const REFUSED_OPTIONS = 0xff100000

/** The node, or why it is not opened. */
function check(call: TreeCall, request: CreateRequest, found: Found | number): TreeNode | number {
  const { disposition, options, desiredAccess } = request
  if (typeof found === 'number') return found
  if ((options & REFUSED_OPTIONS) !== 0) return STATUS.invalidParameter
  if (desiredAccess & RIGHT.systemSecurity) return STATUS.privilegeNotHeld
  if (options & OPTION.openById) return STATUS.notSupported
  if (options & OPTION.directory && options & OPTION.nonDirectory) return STATUS.invalidParameter
  const wanted = mapped(desiredAccess)
  if (options & OPTION.deleteOnClose && (wanted & RIGHT.delete) === 0) return STATUS.invalidParameter
  if (disposition > DISPOSITION.overwriteIf) return STATUS.invalidParameter
  if (found === 'no-name') return checkMissing(request, wanted)
  const isFolder = found.type === 'directory'
  const isWrongType = isFolder && (options & OPTION.nonDirectory) !== 0
  if (options & OPTION.directory || (isFolder && !isWrongType)) return checkAsFolder(request, wanted, found)
  if (disposition === DISPOSITION.create)
    return isWrongType ? STATUS.fileIsADirectory : STATUS.objectNameCollision
  if (isBeyond(wanted, accessOf(found))) return STATUS.accessDenied
  if (isWrongType) return STATUS.fileIsADirectory
  if (!isOpening(request)) return STATUS.accessDenied
  return conflicts(call, request, found) ? STATUS.sharingViolation : found
}

const accessOf = ({ type }: TreeNode): number => (type === 'file' ? FILE_ACCESS : FOLDER_ACCESS)

const isOpening = ({ disposition }: CreateRequest): boolean =>
  disposition === DISPOSITION.open || disposition === DISPOSITION.openIf

/** What `read only = yes` leaves to ask for. */
const SHARE_ACCESS = 0x001f00a9

/** Nothing is made on a share that is read only. */
function checkMissing({ disposition, options }: CreateRequest, wanted: number): number {
  const isFolder = (options & OPTION.directory) !== 0
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
export const mapped = (desired: number): number =>
  MEANING.reduce(
    (rights, [generic, meaning]) => (desired & generic ? rights | meaning : rights),
    desired & 0x0fffffff,
  )

const grantedAccess = (desired: number, node: TreeNode): number =>
  desired & RIGHT.maximumAllowed ? accessOf(node) : mapped(desired)

const SHARE_READ = 1
const READING = RIGHT.readData | RIGHT.execute

/** Whether an open of this connection and the new one exclude each other: both read, and one does not let others. */
function conflicts({ state }: TreeCall, { desiredAccess, share }: CreateRequest, node: TreeNode): boolean {
  const wanted = grantedAccess(desiredAccess, node)
  if ((wanted & READING) === 0) return false
  return opensOf(state).some(
    (open) =>
      open.kind === 'file' &&
      open.node.id === node.id &&
      (open.access & READING) !== 0 &&
      ((open.share & SHARE_READ) === 0 || (share & SHARE_READ) === 0),
  )
}
