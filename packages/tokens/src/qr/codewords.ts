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

const BYTE_MODE = 0b0100
/** The length takes 8 bits up to version 9, and 16 beyond (table 3). */
const lengthBits = (version: number): number => (version < 10 ? 8 : 16)

/** The smallest version that holds the bytes, with its codewords; a `RangeError` for more than `MAX_BYTES`. */
export function encodeBytes(bytes: Uint8Array): {
  readonly version: number
  readonly codewords: readonly number[]
} {
  const index = VERSIONS.findIndex(({ data }, at) => 4 + lengthBits(at + 1) + bytes.length * 8 <= data * 8)
  const sizes = VERSIONS[index]
  if (!sizes) throw new RangeError(`A QR code holds at most ${MAX_BYTES} bytes, not ${bytes.length}.`)
  return { version: index + 1, codewords: interleave(dataCodewords(bytes, index + 1, sizes.data), sizes) }
}

function dataCodewords(bytes: Uint8Array, version: number, count: number): number[] {
  let bits =
    BYTE_MODE.toString(2).padStart(4, '0') + bytes.length.toString(2).padStart(lengthBits(version), '0')
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  // A terminator of up to four zeros, then zeros up to a whole byte (7.4.9).
  bits = bits.padEnd(Math.min(bits.length + 4, count * 8), '0')
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0')
  const codewords = Array.from({ length: bits.length / 8 }, (_, at) =>
    parseInt(bits.slice(at * 8, at * 8 + 8), 2),
  )
  for (let pad = 0xec; codewords.length < count; pad ^= 0xec ^ 0x11) codewords.push(pad)
  return codewords
}

/** The first codeword of each block, then the second ones; the shorter blocks come first. */
function interleave(data: readonly number[], { blocks, correcting }: Version): number[] {
  const short = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  let start = 0
  const parts = Array.from({ length: blocks }, (_, block) => {
    const part = data.slice(start, (start += block < shortBlocks ? short : short + 1))
    return { part, corrections: correction(part, correcting) }
  })
  const columns = (of: readonly (readonly number[])[], length: number): number[] =>
    Array.from({ length }, (_, at) => of.flatMap((row) => row[at] ?? [])).flat()
  return [
    ...columns(
      parts.map(({ part }) => part),
      short + 1,
    ),
    ...columns(
      parts.map(({ corrections }) => corrections),
      correcting,
    ),
  ]
}
