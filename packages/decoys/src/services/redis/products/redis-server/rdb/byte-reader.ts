// Reads numbers and texts from the front of latin1 bytes.

/** Bytes end too early, or say what cannot be. */
export class BadFormat extends Error {}

const MAX_EXPANDED_BYTES = 1024 * 1024

export function byteReader(bytes: string) {
  let at = 0
  let expanded = 0n
  const take = (length: number): string => {
    if (!(length <= bytes.length - at)) throw new BadFormat(`${length} bytes are more than are left`)
    at += length
    return bytes.slice(at - length, at)
  }
  return {
    get left() {
      return bytes.length - at
    },
    /** The next `length` bytes. */
    take,
    byte: () => take(1).charCodeAt(0),
    /** Unsigned, little-endian, of up to six bytes. */
    little: (length: number) => Buffer.from(take(length), 'latin1').readUIntLE(0, length),
    /** Unsigned, big-endian. */
    big: (length: number) => BigInt(`0x${Buffer.from(take(length), 'latin1').toString('hex')}`),
    /** Signed, little-endian. */
    integer: (length: number) =>
      BigInt.asIntN(8 * length, BigInt(`0x${Buffer.from(take(length), 'latin1').reverse().toString('hex')}`)),
    /** Compressed bytes become so many: together they may not be too many. */
    expand(length: bigint) {
      expanded += length
      if (expanded > MAX_EXPANDED_BYTES) throw new BadFormat(`${expanded} bytes are too many`)
    },
  }
}

export type ByteReader = ReturnType<typeof byteReader>

/** A number as little-endian bytes. */
export function little(value: number | bigint, length: number): string {
  const bits = BigInt.asUintN(8 * length, BigInt(value))
    .toString(16)
    .padStart(2 * length, '0')
  return Buffer.from(bits, 'hex').reverse().toString('latin1')
}

/** A number as big-endian bytes. */
export const big = (value: bigint, length: number): string =>
  Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex').toString('latin1')
