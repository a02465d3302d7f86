// Reads and writes the data types of RFC 4251, section 5.

const EMPTY = Buffer.alloc(0)

export const u32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** `uint32 length | bytes` */
export function string(value: Buffer | string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([u32(bytes.length), bytes])
}

/** An `mpint` from a non-negative big-endian number: no leading zeros, but one zero byte when the top bit is set. */
export function mpint(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length && bytes[start] === 0) start += 1
  const digits = bytes.subarray(start)
  const isTopBitSet = (digits[0] ?? 0) >= 0x80
  return string(isTopBitSet ? Buffer.concat([Buffer.from([0]), digits]) : digits)
}

export const nameList = (names: readonly string[]): Buffer => string(names.join(','))

/** A packet's payload: the message number and its fields. */
export const message = (type: number, ...fields: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([type]), ...fields])

/** Reads fields in order. From the first missing field on, every field is empty and `isIntact` is false. */
export function reader(bytes: Buffer) {
  let at = 0
  let isIntact = true

  const take = (length: number): Buffer => {
    if (!isIntact || at + length > bytes.length) {
      isIntact = false
      return EMPTY
    }
    at += length
    return bytes.subarray(at - length, at)
  }
  const number = (): number => {
    const four = take(4)
    return four.length === 4 ? four.readUInt32BE() : 0
  }
  const text = (): Buffer => take(number())
  const cstring = (): Buffer => {
    const bytes = text()
    const zero = bytes.indexOf(0)
    if (zero < 0) return bytes
    if (zero < bytes.length - 1) isIntact = false
    return bytes.subarray(0, zero)
  }

  return {
    /** No field was missing so far. */
    get isIntact() {
      return isIntact
    },
    /** No field was missing, and no byte is left. */
    get isWhole() {
      return isIntact && at === bytes.length
    },
    skip: (length: number) => void take(length),
    byte: (): number => take(1)[0] ?? 0,
    boolean: (): boolean => (take(1)[0] ?? 0) !== 0,
    u32: number,
    string: text,
    /** A string for C: a zero byte is allowed at its end only, and removed. */
    cstring,
    /** A name-list. As in OpenSSH, an empty name ends it. */
    names(): string[] {
      const names = cstring().toString('latin1').split(',')
      const end = names.indexOf('')
      return end < 0 ? names : names.slice(0, end)
    },
    /** A positive `mpint` as big-endian bytes without leading zeros; a negative one counts as missing. */
    mpint(): Buffer {
      const digits = text()
      if ((digits[0] ?? 0) >= 0x80) {
        isIntact = false
        return EMPTY
      }
      let start = 0
      while (start < digits.length && digits[start] === 0) start += 1
      return digits.subarray(start)
    },
  }
}

export type Reader = ReturnType<typeof reader>
