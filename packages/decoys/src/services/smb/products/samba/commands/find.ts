// QUERY_DIRECTORY.
import { STATUS } from '../../../protocol/codec/status.ts'
import { fileTime } from '../../../../../windows/filetime.ts'
import type { DirectoryNode } from '../../../protocol/tree/tree.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, openOf, type Outcome, type TreeCall } from '../call.ts'
import { replaceSession, withOpen } from '../../../protocol/state.ts'
import { bodyOf, textFrom } from '../codec.ts'
import type { SambaMachine } from '../machine.ts'
import { namePattern } from '../files/pattern.ts'
import { output } from './query-info.ts'
import type { OpenFile } from '../state.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'
import { isDirectoryClass, listEntries, type Entry } from '../../../protocol/info/directory-entries.ts'
import { LIST_RIGHT, searchOf, QUERY_FLAG } from '../../../protocol/commands/search.ts'

/** So many bytes of the client's buffer stay free. */
const MARGIN = 8

/** FileIdExtdDirectoryInformation. */
const EXTENDED = 60

export function queryDirectory(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 33)
  if (!body) return fail(call, STATUS.invalidParameter)
  const { fields, dynamic, dynamicAt } = body
  const [infoClass, flags] = [fields.u8(), fields.u8()]
  fields.skip(4)
  const [id, at, length, maxOutput] = [fileIdOf(fields.bytes(16)), fields.u16(), fields.u16(), fields.u32()]
  if ((at !== 0 || length !== 0) && (at !== dynamicAt || length > dynamic.length))
    return fail(call, STATUS.invalidParameter)
  const pattern = textFrom(dynamic.subarray(0, length))
  if (pattern === undefined) return fail(call, STATUS.illegalCharacter)
  const open = openOf(call, id)
  if (!open) return fail(call, STATUS.fileClosed)
  if (maxOutput <= MARGIN) return fail(call, STATUS.invalidParameter)
  if (open.kind !== 'file' || open.node.type !== 'directory') return fail(call, STATUS.notSupported)
  if (isTooLong(call, maxOutput)) return fail(call, STATUS.invalidParameter)
  if (/[\\/]/.test(pattern) || pattern === '') return fail(call, STATUS.objectNameInvalid)
  if (!isDirectoryClass(infoClass) || infoClass === EXTENDED) return fail(call, STATUS.invalidInfoClass)
  if ((open.access & LIST_RIGHT) === 0) return fail(call, STATUS.accessDenied)
  return list(call, open, open.node, { infoClass, flags, maxOutput, pattern })
}

interface Request {
  readonly infoClass: number
  readonly flags: number
  readonly maxOutput: number
  readonly pattern: string
}

function list(
  call: TreeCall,
  open: OpenFile,
  directory: DirectoryNode,
  { infoClass, flags, maxOutput, pattern }: Request,
): Outcome {
  const search = searchOf(open.search, pattern, flags, false)
  const { bytes, count, position, isFull } = listEntries(entriesOf(directory, call.machine), {
    infoClass,
    position: search.position,
    matches: namePattern(search.pattern),
    isSingle: (flags & QUERY_FLAG.single) !== 0,
    maxBytes: maxOutput - MARGIN,
  })
  const isTooShort = isFull && count === 0
  const next = { ...search, position, hasFound: search.hasFound || !isTooShort }
  // A search whose first name does not fit begins anew.
  const kept = isTooShort && !search.hasFound ? undefined : next
  const state = replaceSession(call, withOpen(call.session, { ...open, search: kept }))
  if (count > 0) return succeed(state, output(bytes))
  if (isTooShort) return fail({ state }, STATUS.infoLengthMismatch)
  return fail({ state }, search.hasFound ? STATUS.noMoreFiles : STATUS.noSuchFile)
}

/** Above the share lies a folder of the system. */
const entriesOf = (directory: DirectoryNode, { tree, installedAt }: SambaMachine): readonly Entry[] => [
  { ...directory, name: '.' },
  { ...(parentOf(directory, tree) ?? systemFolder(directory, installedAt)), name: '..' },
  ...directory.children,
]

function systemFolder(directory: DirectoryNode, installedAt: number): Entry {
  const time = fileTime(installedAt)
  const times = { createdAt: time, accessedAt: time, writtenAt: time, changedAt: time }
  return { ...directory, id: directory.id - 1n, times }
}

function parentOf(directory: DirectoryNode, folder: DirectoryNode): DirectoryNode | undefined {
  if (folder.children.includes(directory)) return folder
  for (const child of folder.children) {
    const found = child.type === 'directory' ? parentOf(directory, child) : undefined
    if (found) return found
  }
  return undefined
}
