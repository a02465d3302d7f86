// What a client asks about an open file ([MS-FSCC] 2.4), by information class, as Samba knows it.
import { u64, u8, zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { shortName } from '../files/mangle.ts'
import type { OpenFile } from '../state.ts'
import {
  streams,
  named,
  fixed,
  FILE_CLASSES,
  type Info,
  type FileFacts,
} from '../../../protocol/info/file-classes.ts'

/** Cut off wherever the client's buffer ends. */
const loose = (bytes: Buffer): Info => ({ bytes, least: 0 })

/** Streams are sent whole or not at all. */
export const STREAM_LEAST = 32

const CLASSES: Readonly<Record<number, (open: FileFacts) => Info>> = {
  ...FILE_CLASSES,
  // FileNameInformation
  9: ({ node }) => named(zeros(0), `\\${node.path}`, 0),
  // FileDispositionInformation
  13: () => fixed(u8(0)),
  // FileAllocationInformation and FileEndOfFileInformation
  19: ({ node }) => loose(u64(node.allocationSize)),
  20: ({ node }) => loose(u64(node.size)),
  // FileAlternateNameInformation
  21: ({ node }) => named(zeros(0), shortName(node.name === '' ? '.' : node.name)),
  // FileStreamInformation
  22: ({ node }) => ({ bytes: streams(node), least: STREAM_LEAST }),
}

const READ_ATTRIBUTES = 0x80
const READ_EAS = 0x8
const NEEDS_ATTRIBUTES = new Set([4, 18, 34, 35])
const EAS = 15

export function fileInfo(infoClass: number, open: OpenFile, maxOutput: number): Info | number {
  if (infoClass === EAS) return (open.access & READ_EAS) === 0 ? STATUS.accessDenied : STATUS.noEasOnFile
  const write = CLASSES[infoClass]
  if (!write) return STATUS.invalidInfoClass
  // As its mode, Samba says the attributes.
  const info = write({ ...open, mode: open.node.attributes })
  if (maxOutput < info.least) return STATUS.infoLengthMismatch
  return NEEDS_ATTRIBUTES.has(infoClass) && (open.access & READ_ATTRIBUTES) === 0 ? STATUS.accessDenied : info
}
