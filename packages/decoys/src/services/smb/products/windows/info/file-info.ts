// What a client asks about an open file or pipe ([MS-FSCC] 2.4), by information class.
import { join, u16, u32, u64, u8, utf16, zeros } from '../../../../../windows/fields.ts'
import { writeTimes } from '../../../protocol/codec/create.ts'
import { DIALECT, type Dialect } from '../../../protocol/codec/dialect.ts'
import { STATUS, type Status } from '../../../protocol/codec/status.ts'
import type { Open, OpenFile } from '../state.ts'
import { ATTRIBUTE } from '../../../protocol/tree/tree.ts'

/** A class's content; its length without the name, which may be cut off. */
export interface FileInfo {
  readonly bytes: Buffer
  readonly least: number
}

const fixed = (bytes: Buffer): FileInfo => ({ bytes, least: bytes.length })

const basic = ({ node }: OpenFile): Buffer => join(writeTimes(node.times), u32(node.attributes), u32(0))

const standard = (open: Open): Buffer => {
  const [allocated, size] = open.kind === 'file' ? [open.node.allocationSize, open.node.size] : [4_096, 0]
  const isDirectory = open.kind === 'file' && open.node.type === 'directory'
  const isDeletePending = open.kind === 'pipe'
  return join(u64(allocated), u64(size), u32(1), u8(isDeletePending ? 1 : 0), u8(isDirectory ? 1 : 0), u16(0))
}

/** The name from the share's root, with a backslash before it. */
const fullName = (open: Open): Buffer => utf16(`\\${open.kind === 'file' ? open.node.path : open.name}`)

const named = (before: Buffer, name: Buffer): FileInfo => ({
  bytes: join(before, u32(name.length), name),
  // With the first character and its padding, as the structure of C has it.
  least: before.length + 8,
})

const all = (open: OpenFile): FileInfo =>
  named(
    join(basic(open), standard(open), u64(open.node.id), u32(0), u32(open.access), u64(0), u32(0), u32(0)),
    fullName(open),
  )

const networkOpen = ({ node }: OpenFile): Buffer =>
  join(writeTimes(node.times), u64(node.allocationSize), u64(node.size), u32(node.attributes), u32(0))

const streams = ({ node }: OpenFile): Buffer => {
  if (node.type === 'directory') return zeros(0)
  const name = utf16('::$DATA')
  return join(u32(0), u32(name.length), u64(node.size), u64(node.allocationSize), name)
}

const FILE_CLASSES: Readonly<Record<number, (open: OpenFile) => FileInfo | Status>> = {
  // FileBasicInformation
  4: (open) => fixed(basic(open)),
  // FileFullEaInformation
  15: () => STATUS.noEasOnFile,
  // FileAllInformation
  18: all,
  // FileAlternateNameInformation: there are no names of 8.3
  21: () => STATUS.objectNameNotFound,
  // FileStreamInformation
  22: (open) => fixed(streams(open)),
  // FileCompressionInformation
  28: ({ node }) => fixed(join(u64(node.size), u16(0), zeros(6))),
  // FileNetworkOpenInformation
  34: (open) => fixed(networkOpen(open)),
  // FileAttributeTagInformation
  35: ({ node }) => fixed(join(u32(node.attributes), u32(0))),
  // FileNormalizedNameInformation
  48: (open) => named(zeros(0), utf16(open.node.path)),
  // FileIdInformation
  59: ({ node }) => fixed(join(zeros(8), u64(node.id), zeros(8))),
}

const ANY_CLASSES: Readonly<Record<number, (open: Open) => FileInfo | Status>> = {
  // FileStandardInformation
  5: (open) => fixed(standard(open)),
  // FileInternalInformation
  6: (open) => fixed(u64(open.kind === 'file' ? open.node.id : 0)),
  // FileEaInformation
  7: () => fixed(u32(0)),
  // FileAccessInformation
  8: (open) => fixed(u32(open.access)),
  // FilePositionInformation
  14: () => fixed(u64(0)),
  // FileModeInformation
  16: () => fixed(u32(0)),
  // FileAlignmentInformation
  17: () => fixed(u32(0)),
}

const PIPE_CLASSES: Readonly<Record<number, () => FileInfo>> = {
  // FileBasicInformation
  4: () => fixed(join(zeros(32), u32(ATTRIBUTE.normal), u32(0))),
  // FilePipeInformation: it blocks, and reads messages
  23: () => fixed(join(u32(1), u32(0))),
  // FilePipeLocalInformation
  24: () =>
    fixed(
      join(
        u32(1),
        u32(2),
        u32(0xffffffff),
        u32(1),
        u32(4_096),
        u32(0),
        u32(4_096),
        u32(4_096),
        u32(3),
        u32(1),
      ),
    ),
}

/** Classes of [MS-FSCC] 2.4 that cannot be asked for over SMB2 ([MS-SMB2] 2.2.37). */
const NOT_OVER_SMB = new Set([
  1, 2, 3, 9, 10, 11, 12, 13, 19, 20, 26, 27, 29, 31, 32, 33, 36, 37, 38, 39, 40, 44, 45, 46, 50, 54, 60,
])
const NORMALIZED_NAME = 48
const READ_ATTRIBUTES = 0x80
/** Basic, all, of pipes, network open and attribute tag. */
const NEEDS_READ_ATTRIBUTES = new Set([4, 18, 23, 24, 25, 34, 35])

/** What is asked for, or why it is not answered ([MS-SMB2] 3.3.5.20.1). */
export function fileInfo(infoClass: number, open: Open, dialect: Dialect): FileInfo | Status {
  if (NOT_OVER_SMB.has(infoClass)) return STATUS.notSupported
  if (infoClass === NORMALIZED_NAME && dialect !== DIALECT.v311) return STATUS.notSupported
  if (NEEDS_READ_ATTRIBUTES.has(infoClass) && (open.access & READ_ATTRIBUTES) === 0)
    return STATUS.accessDenied
  const ofAny = ANY_CLASSES[infoClass]
  if (ofAny) return ofAny(open)
  if (open.kind === 'file') return FILE_CLASSES[infoClass]?.(open) ?? STATUS.invalidInfoClass
  return PIPE_CLASSES[infoClass]?.() ?? STATUS.invalidInfoClass
}
