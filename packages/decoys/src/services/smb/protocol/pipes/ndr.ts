// NDR transfer syntax (C706, chapter 14): little-endian, every field at a multiple of its size.
import { reader, textOf, zeros } from '../../../../windows/fields.ts'

/** The id of a stub's first pointer. */
const FIRST_REFERENT = 0x00020000

/** Writes fields in order. Pointers are unique pointers; what they point at is written by the caller, where it belongs. */
export function ndrWriter(firstReferent = FIRST_REFERENT) {
  const parts: Buffer[] = []
  let length = 0
  let lastReferent = firstReferent - 4

  const add = (bytes: Buffer, alignment: number): void => {
    const missing = -length & (alignment - 1)
    if (missing > 0) parts.push(zeros(missing))
    parts.push(bytes)
    length += missing + bytes.length
  }
  const u32 = (value: number): void => {
    const bytes = Buffer.allocUnsafe(4)
    bytes.writeUInt32LE(value >>> 0)
    add(bytes, 4)
  }
  const u16 = (value: number): void => add(Buffer.from([value & 0xff, (value >>> 8) & 0xff]), 2)
  const characters = (text: string): void => {
    u32(text.length)
    u32(0)
    u32(text.length)
    add(Buffer.from(text, 'utf16le'), 2)
  }

  return {
    u16,
    u32,
    bytes: (bytes: Buffer, alignment = 1) => add(bytes, alignment),
    /** A referent id, or null. */
    pointer: (isPresent = true) => u32(isPresent ? (lastReferent += 4) : 0),
    /** A conformant and varying string with a zero at its end. */
    string: (text: string) => characters(`${text}\0`),
    /** The fields of an RPC_UNICODE_STRING ([MS-DTYP] 2.3.10); its buffer follows later. */
    unicodeString(text: string) {
      u16(2 * text.length)
      u16(2 * text.length)
      u32(text.length > 0 ? (lastReferent += 4) : 0)
    },
    unicodeBuffer: (text: string) => (text.length > 0 ? characters(text) : undefined),
    done: () => Buffer.concat(parts),
  }
}

export type NdrWriter = ReturnType<typeof ndrWriter>

/** Begins an answer whose pointers are numbered on from those of the request. */
export const answerTo = ({ pointers }: Pick<NdrReader, 'pointers'>): NdrWriter =>
  ndrWriter(FIRST_REFERENT + 4 * pointers)

/** Longest array or string that is read. */
const MAX_ITEMS = 4_096

/** Reads fields in order, each at a multiple of its size; like `reader`, it never throws. */
export function ndrReader(stub: Buffer) {
  const fields = reader(stub)
  let pointers = 0
  const u32 = (): number => {
    fields.align(4)
    return fields.u32()
  }
  const u16 = (): number => {
    fields.align(2)
    return fields.u16()
  }
  const characters = (): string => {
    u32()
    u32()
    const count = u32()
    return textOf(fields.bytes(count > MAX_ITEMS ? -1 : 2 * count))
  }
  const pointer = (): boolean => {
    const isThere = u32() !== 0
    if (isThere) pointers += 1
    return isThere
  }
  return {
    get isIntact() {
      return fields.isIntact
    },
    /** How many pointers were there so far; null ones do not count. */
    get pointers() {
      return pointers
    },
    u16,
    u32,
    bytes: fields.bytes,
    /** Whether what it points at follows. */
    pointer,
    /** A conformant and varying string, without the zero at its end. */
    string: () => characters().replace(/\0.*$/s, ''),
    /** Whether a buffer follows later. */
    unicodeString() {
      fields.align(4)
      u16()
      u16()
      return pointer()
    },
    unicodeBuffer: characters,
    /** An optional string behind a pointer, such as the server's name at the front of most calls. */
    optionalString(): string | undefined {
      return pointer() ? characters().replace(/\0.*$/s, '') : undefined
    },
    /** The size of a conformant array; 0 when it is too big to be meant. */
    count(): number {
      const count = u32()
      if (count > MAX_ITEMS) fields.skip(-1)
      return fields.isIntact ? count : 0
    },
  }
}

export type NdrReader = ReturnType<typeof ndrReader>
