// A QR code as rows of dark and light modules (ISO/IEC 18004, 7.7 and 7.8).
import { encodeBytes } from './codewords.ts'
import type { MaskedModules, Modules } from './modules.ts'
import { patternsOf } from './patterns.ts'
import { penalties } from './penalty.ts'

/** The symbol of a text in UTF-8, with the mask that reads best; a `RangeError` when the text is too long. */
export function qrSymbol(text: string): Modules {
  const { version, codewords } = encodeBytes(new TextEncoder().encode(text))
  const masked = withData(version, codewords)
  const scores = penalties(masked)
  return rowsOf(masked, scores.indexOf(Math.min(...scores)))
}

function withData(version: number, codewords: Uint8Array): MaskedModules {
  const { size, cells, places } = patternsOf(version)
  const drawn = cells.slice()
  // Places behind the last codeword stay light (7.7.3).
  for (let bit = 0; bit < codewords.length * 8; bit++)
    if ((codewords[bit >> 3]! >> (7 - (bit & 7))) & 1) drawn[places[bit]!]! ^= 0xff
  return { size, cells: drawn }
}

function rowsOf({ size, cells }: MaskedModules, mask: number): Modules {
  return Array.from({ length: size }, (_, y) =>
    cells.subarray(y * size, (y + 1) * size).map((cell) => (cell >> mask) & 1),
  )
}
