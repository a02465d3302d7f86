// Ids of sessions, trees and files: drawn numbers of 32 bits, never 0 and never all ones.
import type { SessionContext } from '../../../../session/session.ts'
import { join, u32, zeros } from '../../../../windows/fields.ts'
import { fileIdOf, type FileId } from '../../protocol/codec/file-id.ts'

const ALL_BITS = 0xffffffff

/** Four bytes. */
export function drawnId({ random }: SessionContext): Buffer {
  const id = random(4)
  const number = id.readUInt32LE()
  return number === 0 || number === ALL_BITS ? u32(number ^ 1) : id
}

/** Persistent and volatile. */
export const fileId = (context: SessionContext): FileId =>
  fileIdOf(join(drawnId(context), zeros(4), drawnId(context), zeros(4)))
