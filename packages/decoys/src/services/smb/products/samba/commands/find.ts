// QUERY_DIRECTORY.
import { STATUS } from '../../../protocol/codec/status.ts'
import { aligned, join, u16, u32, u64, utf16, zeros } from '../../../../../windows/fields.ts'
import { writeTimes } from '../../../protocol/codec/create.ts'
import { fileTime } from '../../../../../windows/filetime.ts'
import type { DirectoryNode } from '../../../protocol/tree/tree.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, openOf, type Outcome, type TreeCall } from '../call.ts'
import { replaceSession, withOpen, type Search } from '../../../protocol/state.ts'
import { bodyOf, textFrom } from '../codec.ts'
import type { SambaMachine } from '../machine.ts'
import { namePattern } from '../files/pattern.ts'
import { output } from './query-info.ts'
import type { OpenFile } from '../state.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'

const FLAG = { restart: 1, single: 2, reopen: 0x10 } as const
const LIST_RIGHT = 1
/** So many bytes of the client's buffer stay free. */
const MARGIN = 8
const MAX_PATTERN = 256

type Entry = Pick<DirectoryNode, 'name' | 'id' | 'times' | 'attributes' | 'size' | 'allocationSize'>

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
  const write = CLASSES[infoClass]
  if (!write) return fail(call, STATUS.invalidInfoClass)
  if ((open.access & LIST_RIGHT) === 0) return fail(call, STATUS.accessDenied)
  return list(call, open, open.node, { write, flags, maxOutput, pattern })
}

interface Wanted {
  readonly write: (entry: Entry, name: Buffer) => Buffer
  readonly flags: number
  readonly maxOutput: number
  readonly pattern: string
}

function list(
  call: TreeCall,
  open: OpenFile,
  directory: DirectoryNode,
  { write, flags, maxOutput, pattern }: Wanted,
): Outcome {
  const search = searchOf(open, pattern, flags)
  const matches = namePattern(search.pattern)
  const all = entriesOf(directory, call.machine)
  const parts: Buffer[] = []
  let length = 0
  let { position } = search
  for (; position < all.length; position += 1) {
    const entry = all[position]!
    if (!matches(entry.name)) continue
    const start = (length + 7) & ~7
    const name = utf16(entry.name)
    const part = join(u32(0), u32(0), write(entry, name), name)
    if (start + part.length > maxOutput - MARGIN) break
    parts.push(part)
    length = start + part.length
    if (flags & FLAG.single) {
      position += 1
      break
    }
  }
  const isFull = parts.length === 0 && position < all.length
  const next: Search = {
    pattern: search.pattern,
    position,
    hasFound: search.hasFound || parts.length > 0 || !isFull,
  }
  // A search whose first name does not fit begins anew.
  const kept = isFull && !search.hasFound ? undefined : next
  const state = replaceSession(call, withOpen(call.session, { ...open, search: kept }))
  if (parts.length > 0) return succeed(state, output(linked(parts)))
  if (isFull) return fail({ state }, STATUS.infoLengthMismatch)
  return fail({ state }, search.hasFound ? STATUS.noMoreFiles : STATUS.noSuchFile)
}

/** A new search, or that which goes on: only its first request names a pattern. */
function searchOf({ search }: OpenFile, asked: string, flags: number): Search {
  const pattern = asked.slice(0, MAX_PATTERN)
  if (!search || flags & FLAG.reopen) return { pattern, position: 0, hasFound: false }
  return flags & FLAG.restart ? { ...search, position: 0, hasFound: false } : search
}

const linked = (parts: readonly Buffer[]): Buffer =>
  join(
    ...parts.map((part, i) => {
      if (i === parts.length - 1) return part
      const padded = aligned(part, 8)
      padded.writeUInt32LE(padded.length, 0)
      return padded
    }),
  )

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

const facts = ({ times, size, allocationSize, attributes }: Entry, name: Buffer): Buffer =>
  join(writeTimes(times), u64(size), u64(allocationSize), u32(attributes), u32(name.length))

const EA_SIZE = zeros(4)

/** Length and 24 bytes: names of 8.3 are made for those alone that no client could take (`mangled names = illegal`). */
const SHORT_NAME = zeros(26)

/** The fields between FileIndex and the name, by class. */
const CLASSES: Readonly<Record<number, (entry: Entry, name: Buffer) => Buffer>> = {
  // FileDirectoryInformation
  1: facts,
  // FileFullDirectoryInformation
  2: (entry, name) => join(facts(entry, name), EA_SIZE),
  // FileBothDirectoryInformation
  3: (entry, name) => join(facts(entry, name), EA_SIZE, SHORT_NAME),
  // FileNamesInformation
  12: (_, name) => u32(name.length),
  // FileIdBothDirectoryInformation
  37: (entry, name) => join(facts(entry, name), EA_SIZE, SHORT_NAME, u16(0), u64(entry.id)),
  // FileIdFullDirectoryInformation
  38: (entry, name) => join(facts(entry, name), EA_SIZE, u32(0), u64(entry.id)),
}
