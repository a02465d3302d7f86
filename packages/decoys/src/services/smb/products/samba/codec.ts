// How Samba reads a request: a fixed part, whose size must be right, and a part that varies behind it.
import { HEADER_BYTES } from '../../protocol/codec/header.ts'
import { reader, type Reader } from '../../../../windows/fields.ts'

export interface Body {
  /** Behind StructureSize. */
  readonly fields: Reader
  /** What follows the fixed part. */
  readonly dynamic: Buffer
  /** Where that begins, from the header. */
  readonly dynamicAt: number
}

/** Commands whose varying part may be missing though their size counts one byte of it. */
const MAY_LACK = new Set([57, 41])

/** Undefined when the size is another one, or parts are missing. `size` is odd where a byte of the varying part counts. */
export function bodyOf(message: Buffer, size: number): Body | undefined {
  const fixed = size & ~1
  const dynamicAt = HEADER_BYTES + fixed
  if (message.length < dynamicAt || message.readUInt16LE(HEADER_BYTES) !== size) return undefined
  const dynamic = message.subarray(dynamicAt)
  if ((size & 1) === 1 && dynamic.length === 0 && !MAY_LACK.has(size)) return undefined
  const fields = reader(message.subarray(HEADER_BYTES, dynamicAt))
  fields.skip(2)
  return { fields, dynamic, dynamicAt }
}

/** A part that must begin right behind the fixed one. */
export function dynamicPart(
  { dynamic, dynamicAt }: Body,
  offset: number,
  length: number,
): Buffer | undefined {
  if (offset !== dynamicAt || length > dynamic.length) return undefined
  return dynamic.subarray(0, length)
}

/** UTF-16LE to text: undefined for an odd length or half a surrogate, which Samba cannot convert. */
export function textFrom(bytes: Buffer): string | undefined {
  if (bytes.length % 2 === 1) return undefined
  const text = bytes.toString('utf16le')
  return text.isWellFormed() ? text : undefined
}
