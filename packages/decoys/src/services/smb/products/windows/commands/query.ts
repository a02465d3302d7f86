// QUERY_DIRECTORY and QUERY_INFO ([MS-SMB2] 3.3.5.18 and 3.3.5.20).
import { fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, onOpen, type Outcome, type TreeCall } from '../call.ts'
import { replaceSession, withOpen, type Search } from '../../../protocol/state.ts'
import type { Open, OpenFile } from '../state.ts'
import { u32 } from '../../../../../windows/fields.ts'
import {
  readQueryDirectory,
  readQueryInfo,
  type QueryDirectoryRequest,
  type QueryInfoRequest,
} from '../../../protocol/codec/file-requests.ts'
import { errorData, outputBody } from '../../../protocol/codec/messages.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fileInfo } from '../info/file-info.ts'
import { securityDescriptor } from '../info/security-descriptor.ts'
import { namePattern } from '../pattern.ts'
import type { DirectoryNode } from '../../../protocol/tree/tree.ts'
import { listEntries, isDirectoryClass, type Entry } from '../../../protocol/info/directory-entries.ts'
import { LIST_RIGHT, QUERY_FLAG, searchOf } from '../../../protocol/commands/search.ts'
import { PART } from '../../../protocol/info/security-descriptor.ts'
import { aboutVolume } from '../../../protocol/info/volume-classes.ts'
import { volumeOf } from '../info/volume-info.ts'
import type { Info } from '../../../protocol/info/file-classes.ts'

export const queryDirectory = onOpen(readQueryDirectory, (call, open, request) => {
  if (open.kind !== 'file' || open.node.type !== 'directory') return fail(call, STATUS.invalidParameter)
  if (!isDirectoryClass(request.infoClass)) return fail(call, STATUS.invalidInfoClass)
  if (isTooLong(call, request.maxOutput)) return fail(call, STATUS.invalidParameter)
  if ((open.access & LIST_RIGHT) === 0) return fail(call, STATUS.accessDenied)
  const search = searchOf(open.search, request.pattern, request.flags, true)
  if (search.pattern === '') return fail(call, STATUS.objectNameInvalid)
  const matches = namePattern(search.pattern)
  return matches
    ? list(call, open, open.node, request, search, matches)
    : fail(call, STATUS.objectNameInvalid)
})

function list(
  call: TreeCall,
  open: OpenFile,
  directory: DirectoryNode,
  { infoClass, flags, maxOutput }: QueryDirectoryRequest,
  search: Search,
  matches: (name: string) => boolean,
): Outcome {
  const wanted = { infoClass, position: search.position, matches, maxBytes: maxOutput }
  const { bytes, count, position, isFull } = listEntries(entriesOf(directory), {
    ...wanted,
    isSingle: (flags & QUERY_FLAG.single) !== 0,
  })
  if (isFull && count === 0) return fail(call, STATUS.infoLengthMismatch)
  const next = { ...search, position, hasFound: search.hasFound || count > 0 }
  const state = replaceSession(call, withOpen(call.session, { ...open, search: next }))
  return count > 0
    ? succeed(state, outputBody(bytes), { fileId: open.id })
    : fail({ state }, search.hasFound ? STATUS.noMoreFiles : STATUS.noSuchFile, { fileId: open.id })
}

const entriesOf = (directory: DirectoryNode): readonly Entry[] => [
  { ...directory, name: '.' },
  { ...directory, name: '..', id: directory.parentId },
  ...directory.children,
]

const TYPE = { file: 1, volume: 2, security: 3, quota: 4 } as const

export const queryInfo = onOpen(readQueryInfo, (call, open, request) => {
  if (isTooLong(call, request.maxOutput)) return fail(call, STATUS.invalidParameter)
  switch (request.type) {
    case TYPE.file:
      return answerInfo(call, open, fileInfo(request.infoClass, open, call.negotiated.dialect), request)
    case TYPE.volume:
      return open.kind === 'pipe'
        ? fail(call, STATUS.invalidDeviceRequest, { fileId: open.id })
        : answerInfo(call, open, aboutVolume(request.infoClass, volumeOf(call.machine)), request)
    case TYPE.security:
      return querySecurity(call, open, request)
    default:
      return fail(call, request.type === TYPE.quota ? STATUS.accessDenied : STATUS.invalidParameter)
  }
})

function answerInfo(
  call: TreeCall,
  open: Open,
  info: Info | number,
  { maxOutput }: QueryInfoRequest,
): Outcome {
  if (typeof info === 'number') return fail(call, info, { fileId: open.id })
  return info.least > maxOutput
    ? fail(call, STATUS.infoLengthMismatch, {
        body: errorData(call.negotiated.dialect, Buffer.alloc(0)),
        fileId: open.id,
      })
    : answer(call, open, info.bytes, maxOutput)
}

/** What does not fit is cut off, and the status says so. */
const answer = ({ state }: TreeCall, open: Open, bytes: Buffer, maxOutput: number): Outcome => ({
  state,
  status: bytes.length > maxOutput ? STATUS.bufferOverflow : STATUS.success,
  body: outputBody(bytes.subarray(0, maxOutput)),
  fileId: open.id,
})

const READ_CONTROL = 0x20000

function querySecurity(call: TreeCall, open: Open, { additional, maxOutput }: QueryInfoRequest): Outcome {
  if (open.kind === 'pipe') return fail(call, STATUS.notSupported)
  const isRefused = (open.access & READ_CONTROL) === 0 || (additional & PART.sacl) !== 0
  if (isRefused) return fail(call, STATUS.accessDenied, { fileId: open.id })
  const descriptor = securityDescriptor(additional, open.node.type === 'directory')
  // The error says how many bytes it takes ([MS-SMB2] 3.3.5.20.3).
  return descriptor.length > maxOutput
    ? fail(call, STATUS.bufferTooSmall, {
        body: errorData(call.negotiated.dialect, u32(descriptor.length)),
        fileId: open.id,
      })
    : answer(call, open, descriptor, maxOutput)
}
