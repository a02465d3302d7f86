// What a client asks about an open file or pipe ([MS-FSCC] 2.4), by information class.
import { join, u32, u64, zeros } from '../../../../../windows/fields.ts'
import { DIALECT, type Dialect } from '../../../protocol/codec/dialect.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import type { Open, OpenPipe } from '../state.ts'
import { ATTRIBUTE } from '../../../protocol/tree/tree.ts'
import {
  STANDARD_OF_PIPE,
  streams,
  fixed,
  FILE_CLASSES,
  type Info,
  type FileFacts,
} from '../../../protocol/info/file-classes.ts'

const PIPE_BYTES = 4_096

const CLASSES: Readonly<Record<number, (open: FileFacts) => Info | number>> = {
  ...FILE_CLASSES,
  // FileFullEaInformation
  15: () => STATUS.noEasOnFile,
  // FileAlternateNameInformation: there are no names of 8.3
  21: () => STATUS.objectNameNotFound,
  // FileStreamInformation
  22: ({ node }) => fixed(streams(node)),
  // FileIdInformation
  59: ({ node }) => fixed(join(zeros(8), u64(node.id), zeros(8))),
}

const PIPE_CLASSES: Readonly<Record<number, (pipe: OpenPipe) => Info>> = {
  // FileBasicInformation
  4: () => fixed(join(zeros(32), u32(ATTRIBUTE.normal), u32(0))),
  // FileStandardInformation
  5: () => fixed(STANDARD_OF_PIPE),
  // FileInternalInformation
  6: () => fixed(u64(0)),
  // FileEaInformation
  7: () => fixed(u32(0)),
  // FileAccessInformation
  8: ({ access }) => fixed(u32(access)),
  // FilePositionInformation
  14: () => fixed(u64(0)),
  // FileModeInformation
  16: () => fixed(u32(0)),
  // FileAlignmentInformation
  17: () => fixed(u32(0)),
  // FilePipeInformation: it blocks, and reads messages
  23: () => fixed(join(u32(1), u32(0))),
  // FilePipeLocalInformation
  24: () => fixed(join(...[1, 2, 0xffffffff, 1, PIPE_BYTES, 0, PIPE_BYTES, PIPE_BYTES, 3, 1].map(u32))),
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
export function fileInfo(infoClass: number, open: Open, dialect: Dialect): Info | number {
  if (NOT_OVER_SMB.has(infoClass)) return STATUS.notSupported
  if (infoClass === NORMALIZED_NAME && dialect !== DIALECT.v311) return STATUS.notSupported
  if (NEEDS_READ_ATTRIBUTES.has(infoClass) && (open.access & READ_ATTRIBUTES) === 0)
    return STATUS.accessDenied
  return (
    (open.kind === 'file'
      ? CLASSES[infoClass]?.({ ...open, position: 0n, mode: 0 })
      : PIPE_CLASSES[infoClass]?.(open)) ?? STATUS.invalidInfoClass
  )
}
