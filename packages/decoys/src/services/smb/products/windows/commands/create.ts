// CREATE ([MS-SMB2] 3.3.5.9) on a share that may be read only, and on pipes.
import { fail, succeed } from '../../../protocol/call.ts'
import type { Outcome, TreeCall } from '../call.ts'
import { MAX_OPENS, opensOf, replaceSession, withOpen } from '../../../protocol/state.ts'
import { nextFileId, type OpenFile } from '../state.ts'
import {
  DISPOSITION,
  OPTION,
  readCreate,
  writeCreate,
  type CreateRequest,
  type CreateResponse,
} from '../../../protocol/codec/create.ts'
import { join, u32, u64, zeros } from '../../../../../windows/fields.ts'
import { STATUS, type Status } from '../../../protocol/codec/status.ts'
import { fileEvent } from '../../../protocol/events.ts'
import { lookUp, type Lookup, type TreeNode } from '../../../protocol/tree/tree.ts'
import { openPipe } from './open-pipe.ts'
import { READ_ACCESS } from './tree-connect.ts'
import type { FileId } from '../../../protocol/codec/file-id.ts'
import { refusedOpen, RIGHT } from '../../../protocol/commands/rights.ts'

/** What a reader's rights do not hold, and the generic rights to write and to everything. */
const BEYOND_READING = ~(READ_ACCESS | RIGHT.maximumAllowed | RIGHT.genericRead | RIGHT.genericExecute) >>> 0

export function create(call: TreeCall): Outcome {
  const request = readCreate(call.message)
  if (!request) return fail(call, STATUS.invalidParameter)
  if (opensOf(call.state).length >= MAX_OPENS) return fail(call, STATUS.tooManyOpenedFiles)
  return call.tree.kind === 'pipes' ? openPipe(call, request) : openPath(call, request)
}

function openPath(call: TreeCall, request: CreateRequest): Outcome {
  const { name, desiredAccess } = request
  const [path = '', stream, type] = name.split(':')
  const isMainStream = stream === undefined || (stream === '' && type?.toUpperCase() === '$DATA')
  const found = path.startsWith('\\') ? STATUS.invalidParameter : lookUp(call.machine.tree, path)
  const checked = check(request, found, isMainStream)
  const isTouch =
    isDataTouch(desiredAccess, request) && (typeof checked === 'number' || checked.type === 'file')
  if (typeof checked === 'number') {
    const wantsMore = (desiredAccess & BEYOND_READING) !== 0
    const isRefused = isTouch && checked === STATUS.accessDenied
    const events = isRefused ? [refusedOpen(call, request, found, wantsMore)] : []
    return fail(call, checked, { events })
  }
  const { state, session } = call
  const id = nextFileId(state)
  const open: OpenFile = {
    kind: 'file',
    id,
    treeId: call.tree.id,
    access: grantedAccess(desiredAccess),
    node: checked,
    wasRead: false,
    locks: 0,
    search: undefined,
  }
  const next = { ...replaceSession(call, withOpen(session, open)), lastNumber: state.lastNumber + 1 }
  const touch = fileEvent(call, { path: checked.path, action: 'open', mode: 'r', size: checked.size })
  return succeed(next, writeCreate(response(checked, id, request, call.machine.volumeSerial)), {
    fileId: id,
    events: isTouch ? [touch] : [],
  })
}

/** Whether what is asked for touches content, not names and attributes alone. */
const isDataTouch = (desiredAccess: number, { options }: CreateRequest): boolean => {
  const content =
    RIGHT.readData |
    RIGHT.execute |
    RIGHT.maximumAllowed |
    RIGHT.genericRead |
    RIGHT.genericExecute |
    BEYOND_READING
  return (desiredAccess & content) !== 0 && (options & OPTION.directory) === 0
}

/** The node, or why it is not opened, in the order of [MS-FSA] 2.1.5.1. */
function check(
  { disposition, options, desiredAccess }: CreateRequest,
  found: Lookup | Status,
  isMainStream: boolean,
): TreeNode | Status {
  if (typeof found === 'number') return found
  if (disposition > DISPOSITION.overwriteIf || desiredAccess === 0) return STATUS.invalidParameter
  const isContradiction =
    (options & OPTION.directory && options & OPTION.nonDirectory) ||
    (options & OPTION.deleteOnClose && (desiredAccess & RIGHT.delete) === 0)
  if (isContradiction) return STATUS.invalidParameter
  if (options & OPTION.openById) return STATUS.notSupported
  if (found === 'invalid-name') return STATUS.objectNameInvalid
  if (found === 'no-path') return STATUS.objectPathNotFound
  if (desiredAccess & RIGHT.systemSecurity) return STATUS.privilegeNotHeld
  const makesNew = disposition !== DISPOSITION.open && disposition !== DISPOSITION.overwrite
  if (found === 'no-name') return makesNew ? STATUS.accessDenied : STATUS.objectNameNotFound
  if (!isMainStream) return makesNew ? STATUS.accessDenied : STATUS.objectNameNotFound
  if (disposition === DISPOSITION.create) return STATUS.objectNameCollision
  if (found.type === 'file' && options & OPTION.directory) return STATUS.notADirectory
  if (found.type === 'directory' && options & OPTION.nonDirectory) return STATUS.fileIsADirectory
  const replaces = disposition !== DISPOSITION.open && disposition !== DISPOSITION.openIf
  const isBeyond = (desiredAccess & BEYOND_READING) !== 0
  return replaces || isBeyond || options & OPTION.deleteOnClose ? STATUS.accessDenied : found
}

const grantedAccess = (desired: number): number =>
  desired & (RIGHT.maximumAllowed | RIGHT.genericRead | RIGHT.genericExecute)
    ? READ_ACCESS
    : desired & READ_ACCESS

/** SMB2_OPLOCK_LEVEL ([MS-SMB2] 2.2.13): what is asked for is granted, because nobody writes. */
const OPLOCK = { none: 0, lease: 0xff } as const
const GRANTED = new Set([0x01, 0x08, 0x09])
/** READ, HANDLE and WRITE caching ([MS-SMB2] 2.2.13.2.8). */
const CACHING = 7

function response(
  node: TreeNode,
  fileId: FileId,
  { oplockLevel, contexts }: CreateRequest,
  volumeSerial: number,
): CreateResponse {
  const lease = leaseContext(contexts.get('RqLs'))
  const isLease = oplockLevel === OPLOCK.lease && lease !== undefined && node.type === 'file'
  const isOplock = GRANTED.has(oplockLevel) && node.type === 'file'
  const answers: (readonly [string, Buffer])[] = []
  if (contexts.has('MxAc')) answers.push(['MxAc', join(u32(STATUS.success), u32(READ_ACCESS))])
  if (contexts.has('QFid')) answers.push(['QFid', join(u64(node.id), u64(volumeSerial), zeros(16))])
  if (isLease) answers.push(['RqLs', lease])
  return {
    oplockLevel: isLease ? OPLOCK.lease : isOplock ? oplockLevel : OPLOCK.none,
    file: node,
    fileId,
    contexts: answers,
  }
}

/** A lease of version 1 (32 bytes) or 2 (52) with what is granted of it. */
function leaseContext(request: Buffer | undefined): Buffer | undefined {
  if (request?.length !== 32 && request?.length !== 52) return undefined
  const lease = Buffer.from(request)
  lease.writeUInt32LE(request.readUInt32LE(16) & CACHING, 16)
  return lease
}
