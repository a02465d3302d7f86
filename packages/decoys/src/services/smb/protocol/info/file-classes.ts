// What every server says about an open file ([MS-FSCC] 2.4), by information class.
import { join, u16, u32, u64, u8, utf16, zeros } from '../../../../windows/fields.ts'
import { writeTimes } from '../codec/create.ts'
import type { TreeNode } from '../tree/tree.ts'

/** What a class answers, and how many bytes of it must fit. */
export interface Info {
  readonly bytes: Buffer
  readonly least: number
}

export interface FileFacts {
  readonly node: TreeNode
  readonly access: number
  readonly position: bigint
  readonly mode: number
}

export const fixed = (bytes: Buffer): Info => ({ bytes, least: bytes.length })

/** Without more, the name's first character and its padding must fit, as the structure of C has it. */
export const named = (before: Buffer, text: string, least = before.length + 8): Info => {
  const name = utf16(text)
  return { bytes: join(before, u32(name.length), name), least }
}

const basic = ({ times, attributes }: TreeNode): Buffer => join(writeTimes(times), u32(attributes), u32(0))

const standard = ({ allocationSize, size, type }: TreeNode): Buffer =>
  join(u64(allocationSize), u64(size), u32(1), u8(0), u8(type === 'directory' ? 1 : 0), u16(0))

const PIPE_BYTES = 4_096

/** FileStandardInformation of a pipe: it will be gone when it is closed. */
export const STANDARD_OF_PIPE = join(u64(PIPE_BYTES), u64(0), u32(1), u8(1), u8(0), u16(0))

/** FileStreamInformation. */
export const streams = ({ type, size, allocationSize }: TreeNode): Buffer => {
  if (type === 'directory') return zeros(0)
  const name = utf16('::$DATA')
  return join(u32(0), u32(name.length), u64(size), u64(allocationSize), name)
}

export const FILE_CLASSES: Readonly<Record<number, (open: FileFacts) => Info>> = {
  // FileBasicInformation
  4: ({ node }) => fixed(basic(node)),
  // FileStandardInformation
  5: ({ node }) => fixed(standard(node)),
  // FileInternalInformation
  6: ({ node }) => fixed(u64(node.id)),
  // FileEaInformation
  7: () => fixed(u32(0)),
  // FileAccessInformation
  8: ({ access }) => fixed(u32(access)),
  // FilePositionInformation
  14: ({ position }) => fixed(u64(position)),
  // FileModeInformation
  16: ({ mode }) => fixed(u32(mode)),
  // FileAlignmentInformation
  17: () => fixed(u32(0)),
  // FileAllInformation
  18: ({ node, access, position, mode }) =>
    named(
      join(
        ...[basic(node), standard(node), u64(node.id), u32(0)],
        ...[u32(access), u64(position), u32(mode), u32(0)],
      ),
      `\\${node.path}`,
    ),
  // FileCompressionInformation
  28: ({ node }) => fixed(join(u64(node.size), zeros(8))),
  // FileNetworkOpenInformation
  34: ({ node: { times, allocationSize, size, attributes } }) =>
    fixed(join(writeTimes(times), u64(allocationSize), u64(size), u32(attributes), u32(0))),
  // FileAttributeTagInformation
  35: ({ node }) => fixed(join(u32(node.attributes), u32(0))),
  // FileNormalizedNameInformation
  48: ({ node }) => named(zeros(0), node.path),
}
