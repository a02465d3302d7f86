// The bytes of a stream that holds objects or their places: packed by Flate or not at all, with a predictor perhaps
// (ISO 32000-1, 7.4.4). A document's streams share a budget, since each may unpack to a thousand times its size.
import { constants, inflateSync } from 'node:zlib'
import {
  asInteger,
  asName,
  BrokenPdf,
  entriesOf,
  itemsOf,
  type PdfDictionary,
  type PdfText,
} from './syntax.ts'

/** Of all streams that are unpacked together. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024

export type Unpack = (dictionary: PdfDictionary, packed: Buffer) => Buffer

export function unpacker(): Unpack {
  let left = MAX_UNPACKED_BYTES
  return (dictionary, packed) => {
    const filter = single(dictionary.get('Filter'))
    const unpacked = filter === undefined ? packed : inflated(asName(filter), packed, left)
    left -= unpacked.byteLength
    const parameters = single(dictionary.get('DecodeParms'))
    return parameters?.[0] === 0x3c ? unpredicted(unpacked, entriesOf(parameters)) : unpacked
  }
}

/** A filter may stand in an array, and none in an empty one. */
function single(text: PdfText | undefined): PdfText | undefined {
  if (text?.[0] !== 0x5b) return text
  const [first, second] = itemsOf(text)
  if (second) throw new BrokenPdf('a stream of objects has two filters')
  return first
}

function inflated(filter: string | undefined, packed: Buffer, left: number): Buffer {
  if (filter !== 'FlateDecode' && filter !== 'Fl')
    throw new BrokenPdf('a stream of objects has another filter')
  try {
    // A stream whose last bytes are missing counts as far as it goes, as in readers.
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, left) })
  } catch (error) {
    throw new BrokenPdf('a stream of objects cannot be unpacked', { cause: error })
  }
}

/** Undoes the filters of PNG, of which each row names its own. */
function unpredicted(bytes: Buffer, parameters: PdfDictionary): Buffer {
  const predictor = asInteger(parameters.get('Predictor')) ?? 1
  if (predictor < 10) {
    if (predictor === 1) return bytes
    throw new BrokenPdf('a stream of objects has another predictor')
  }
  const numberOf = (name: string, usual: number): number => asInteger(parameters.get(name)) ?? usual
  const bits = numberOf('Colors', 1) * numberOf('BitsPerComponent', 8)
  const rowBytes = Math.ceil((bits * numberOf('Columns', 1)) / 8)
  const pixelBytes = Math.max(1, Math.floor(bits / 8))
  if (!(rowBytes >= 1 && rowBytes <= bytes.length)) throw new BrokenPdf('a predictor has no columns')
  const out = Buffer.alloc(Math.floor(bytes.length / (rowBytes + 1)) * rowBytes)
  for (let row = 0; row * rowBytes < out.length; row++) {
    const from = row * (rowBytes + 1)
    const type = bytes[from] ?? 0
    for (let n = 0; n < rowBytes; n++) {
      const at = row * rowBytes + n
      const left = n < pixelBytes ? 0 : (out[at - pixelBytes] ?? 0)
      const up = row === 0 ? 0 : (out[at - rowBytes] ?? 0)
      const upLeft = row === 0 || n < pixelBytes ? 0 : (out[at - rowBytes - pixelBytes] ?? 0)
      out[at] = (bytes[from + 1 + n] ?? 0) + predicted(type, left, up, upLeft)
    }
  }
  return out
}

function predicted(type: number, left: number, up: number, upLeft: number): number {
  switch (type) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, upLeft)
    default:
      return 0
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const [a, b, c] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)]
  if (a <= b && a <= c) return left
  return b <= c ? up : upLeft
}
