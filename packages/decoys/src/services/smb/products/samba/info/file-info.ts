// What a client asks about an open file ([MS-FSCC] 2.4), by information class, as Samba knows it.
import { join, u16, u32, u64, u8, utf16, zeros } from '../../../../../windows/fields.ts'
import { writeTimes } from '../../../protocol/codec/create.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { shortName } from '../files/mangle.ts'
import type { OpenFile } from '../state.ts'

/** What a class answers, and how many bytes of it must fit. */
export interface Info {
  readonly bytes: Buffer
  readonly least: number
}

const fixed = (bytes: Buffer): Info => ({ bytes, least: bytes.length })
/** Cut off wherever the client's buffer ends. */
const loose = (bytes: Buffer): Info => ({ bytes, least: 0 })

const basic = ({ node }: OpenFile): Buffer => join(writeTimes(node.times), u32(node.attributes), u32(0))

const standard = ({ node }: OpenFile): Buffer =>
  join(u64(node.allocationSize), u64(node.size), u32(1), u8(0), u8(node.type === 'directory' ? 1 : 0), u16(0))

const named = (before: Buffer, text: string, least: number): Info => {
  const name = utf16(text)
  return { bytes: join(before, u32(name.length), name), least }
}

const all = (open: OpenFile): Info =>
  named(
    join(
      basic(open),
      standard(open),
      u64(open.node.id),
      u32(0),
      u32(open.access),
      u64(open.position),
      u32(open.node.attributes),
      u32(0),
    ),
    `\\${open.node.path}`,
    104,
  )

const networkOpen = ({ node }: OpenFile): Buffer =>
  join(writeTimes(node.times), u64(node.allocationSize), u64(node.size), u32(node.attributes), u32(0))

const streams = ({ node }: OpenFile): Info => {
  if (node.type === 'directory') return { bytes: zeros(0), least: 32 }
  const name = utf16('::$DATA')
  return { bytes: join(u32(0), u32(name.length), u64(node.size), u64(node.allocationSize), name), least: 32 }
}

const CLASSES: Readonly<Record<number, (open: OpenFile) => Info>> = {
  // FileBasicInformation
  4: (open) => fixed(basic(open)),
  // FileStandardInformation
  5: (open) => fixed(standard(open)),
  // FileInternalInformation
  6: ({ node }) => fixed(u64(node.id)),
  // FileEaInformation
  7: () => fixed(u32(0)),
  // FileAccessInformation
  8: ({ access }) => fixed(u32(access)),
  // FileNameInformation
  9: ({ node }) => named(zeros(0), `\\${node.path}`, 0),
  // FileDispositionInformation
  13: () => fixed(u8(0)),
  // FilePositionInformation
  14: ({ position }) => fixed(u64(position)),
  // FileModeInformation: Samba says the attributes
  16: ({ node }) => fixed(u32(node.attributes)),
  // FileAlignmentInformation
  17: () => fixed(u32(0)),
  // FileAllInformation
  18: all,
  // FileAllocationInformation and FileEndOfFileInformation
  19: ({ node }) => loose(u64(node.allocationSize)),
  20: ({ node }) => loose(u64(node.size)),
  // FileAlternateNameInformation
  21: ({ node }) => named(zeros(0), shortName(node.name === '' ? '.' : node.name), 8),
  // FileStreamInformation
  22: streams,
  // FileCompressionInformation
  28: ({ node }) => fixed(join(u64(node.size), zeros(8))),
  // FileNetworkOpenInformation
  34: (open) => fixed(networkOpen(open)),
  // FileAttributeTagInformation
  35: ({ node }) => fixed(join(u32(node.attributes), u32(0))),
  // FileNormalizedNameInformation
  48: ({ node }) => named(zeros(0), node.path, 8),
}

const READ_ATTRIBUTES = 0x80
const READ_EAS = 0x8
const NEEDS_ATTRIBUTES = new Set([4, 18, 34, 35])
const EAS = 15

export function fileInfo(infoClass: number, open: OpenFile, maxOutput: number): Info | number {
  if (infoClass === EAS) return (open.access & READ_EAS) === 0 ? STATUS.accessDenied : STATUS.noEasOnFile
  const write = CLASSES[infoClass]
  if (!write) return STATUS.invalidInfoClass
  const info = write(open)
  if (maxOutput < info.least) return STATUS.infoLengthMismatch
  return NEEDS_ATTRIBUTES.has(infoClass) && (open.access & READ_ATTRIBUTES) === 0 ? STATUS.accessDenied : info
}
