// From bytes to the codewords of a symbol (ISO/IEC 18004, 7.4 to 7.6): byte mode, error correction level M.
import { correction } from './galois.ts'

interface Version {
  readonly data: number
  readonly blocks: number
  /** Correcting codewords of a block. */
  readonly correcting: number
}

/** Versions 1 to 10 at level M (table 9). */
const VERSIONS: readonly Version[] = [
  { data: 16, blocks: 1, correcting: 10 },
  { data: 28, blocks: 1, correcting: 16 },
  { data: 44, blocks: 1, correcting: 26 },
  { data: 64, blocks: 2, correcting: 18 },
  { data: 86, blocks: 2, correcting: 24 },
  { data: 108, blocks: 4, correcting: 16 },
  { data: 124, blocks: 4, correcting: 18 },
  { data: 154, blocks: 4, correcting: 22 },
  { data: 182, blocks: 5, correcting: 22 },
  { data: 216, blocks: 5, correcting: 26 },
]

/** Bytes that the largest symbol holds. */
export const MAX_BYTES = 213

/** The mode, and its four bits in front of the length (table 2). */
const BYTE_MODE = 0b0100
/** The length takes 8 bits up to version 9, and 16 beyond (table 3). */
const lengthBytes = (version: number): number => (version < 10 ? 1 : 2)

/** The smallest version that holds the bytes, with its codewords; a `RangeError` for more than `MAX_BYTES`. */
export function encodeBytes(bytes: Uint8Array): {
  readonly version: number
  readonly codewords: Uint8Array
} {
  // Half a byte more for the mode, which with the terminator is a whole one.
  const index = VERSIONS.findIndex(({ data }, at) => 1 + lengthBytes(at + 1) + bytes.length <= data)
  const sizes = VERSIONS[index]
  if (!sizes) throw new RangeError(`A QR code holds at most ${MAX_BYTES} bytes, not ${bytes.length}.`)
  return { version: index + 1, codewords: interleave(dataCodewords(bytes, index + 1, sizes.data), sizes) }
}

/** Mode, length and bytes, shifted by the half byte of the mode, a terminator of four zeros, and padding (7.4.9, 7.4.10). */
function dataCodewords(bytes: Uint8Array, version: number, count: number): Uint8Array {
  const { length } = bytes
  const content = [...(lengthBytes(version) === 1 ? [] : [length >> 8]), length & 0xff, ...bytes]
  const codewords = new Uint8Array(count)
  let high = BYTE_MODE
  for (const [at, byte] of content.entries()) {
    codewords[at] = (high << 4) | (byte >> 4)
    high = byte & 0xf
  }
  codewords[content.length] = high << 4
  let pad = 0xec
  for (let at = content.length + 1; at < count; at++, pad ^= 0xec ^ 0x11) codewords[at] = pad
  return codewords
}

/** The first codeword of each block, then the second ones; the shorter blocks come first. Then the correcting ones alike. */
function interleave(data: Uint8Array, { blocks, correcting }: Version): Uint8Array {
  const short = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  const codewords = new Uint8Array(data.length + blocks * correcting)
  let start = 0
  for (let block = 0; block < blocks; block++) {
    const part = data.subarray(start, (start += block < shortBlocks ? short : short + 1))
    // Only the longer blocks have a last codeword.
    for (let at = 0; at < part.length; at++)
      codewords[at * blocks + (at < short ? block : block - shortBlocks)] = part[at]!
    for (const [at, codeword] of correction(part, correcting).entries())
      codewords[data.length + at * blocks + block] = codeword
  }
  return codewords
}
