// Little-endian fields, as the messages of Windows protocols are made of ([MS-DTYP] 2.2).

export const u8 = (value: number): Buffer => Buffer.from([value & 0xff])

export const u16 = (value: number): Buffer => Buffer.from([value & 0xff, (value >>> 8) & 0xff])

export const u32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

export const u64 = (value: bigint | number): Buffer => {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)))
  return bytes
}

export const zeros = (length: number): Buffer => Buffer.alloc(length)

/** UTF-16LE, as every text in SMB2, NTLM and TDS. */
export const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

/** The parts in one piece; a single one that is not empty is not copied. */
export function join(...parts: readonly Buffer[]): Buffer {
  const full = parts.filter(({ length }) => length > 0)
  return full.length === 1 && full[0] ? full[0] : Buffer.concat(full)
}

/** The bytes, with zeros behind them up to a multiple of `size`. */
export const aligned = (bytes: Buffer, size: number): Buffer => {
  const missing = -bytes.length & (size - 1)
  return missing === 0 ? bytes : Buffer.concat([bytes, zeros(missing)])
}

/** Bytes that are made where they are sent from: a large answer is written once. A buffer is one, too. */
export interface Content {
  readonly length: number
  readonly copy: (target: Buffer, at: number) => unknown
}

/** The contents one behind the other. */
export const inOrder = (...contents: readonly Content[]): Content => ({
  length: contents.reduce((sum, { length }) => sum + length, 0),
  copy(target, at) {
    for (const content of contents) {
      content.copy(target, at)
      at += content.length
    }
  },
})

/** The first characters in a text of their own: a slice would keep the whole text in memory, and one of UTF-16 takes twice as much. */
export function startOf(text: string, characters: number): string {
  const start = text.slice(0, characters)
  const encoding = OF_LATIN_1.test(start) ? 'latin1' : 'utf16le'
  return Buffer.from(start, encoding).toString(encoding)
}

/** V8 holds such a text in one byte a character, if it was made so. */
const OF_LATIN_1 = /^[\0-\u00ff]*$/

/** A copy to keep: a small buffer of Node's pool holds 8 KiB of it in memory (`Buffer.allocUnsafeSlow` has no part in it). */
export function unpooled(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

const EMPTY = Buffer.alloc(0)

/** Reads fields in order. From the first missing field on, every field is zero or empty and `isIntact` is false. */
export function reader(bytes: Buffer) {
  let at = 0
  let isIntact = true

  const take = (length: number): Buffer => {
    if (!isIntact || length < 0 || at + length > bytes.length) {
      isIntact = false
      return EMPTY
    }
    at += length
    return bytes.subarray(at - length, at)
  }
  const number = (length: number): number => {
    const field = take(length)
    return field.length === length ? field.readUIntLE(0, length) : 0
  }

  return {
    /** No field was missing so far. */
    get isIntact() {
      return isIntact
    },
    get at() {
      return at
    },
    get left() {
      return bytes.length - at
    },
    u8: () => number(1),
    u16: () => number(2),
    u32: () => number(4),
    u64(): bigint {
      const field = take(8)
      return field.length === 8 ? field.readBigUInt64LE() : 0n
    },
    bytes: take,
    skip: (length: number) => void take(length),
    /** Skips to a multiple of `size`; at the end there may be nothing left to skip. */
    align(size: number) {
      const missing = -at & (size - 1)
      if (at + missing <= bytes.length) at += missing
      else isIntact = false
    },
  }
}

export type Reader = ReturnType<typeof reader>

/** Part of a message by its offset and length; undefined when it lies outside. An empty part may lie anywhere. */
export function part(bytes: Buffer, offset: number, length: number): Buffer | undefined {
  if (length === 0) return EMPTY
  return offset + length <= bytes.length ? bytes.subarray(offset, offset + length) : undefined
}

/** UTF-16LE as text; half a surrogate becomes U+FFFD, an odd byte is dropped. */
export const textOf = (bytes: Buffer): string =>
  bytes
    .subarray(0, bytes.length & ~1)
    .toString('utf16le')
    .toWellFormed()
