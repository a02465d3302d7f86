// Lengths and texts of an RDB.
//
//   00LLLLLL                 a length up to 63
//   01LLLLLL LLLLLLLL        up to 16,383
//   10000000 + 4 bytes       up to 2³² - 1, big-endian
//   10000001 + 8 bytes       beyond
//   110000EE                 no length, but a text: an integer of 1, 2 or 4 bytes (EE = 0, 1, 2), or LZF (3)
import { isInt64 } from '../arguments.ts'
import { BadFormat, big, little, type ByteReader } from './byte-reader.ts'
import { compress, decompress } from './lzf.ts'

const INTEGER = 0xc0
const LZF = 0xc3
const MAX_INTEGER_TEXT = 11
/** Shorter texts are not compressed. */
const MIN_COMPRESSED = 21

export function lengthBytes(length: number | bigint): string {
  const value = BigInt(length)
  if (value < 64n) return big(value, 1)
  if (value < 16_384n) return big(value | 0x4000n, 2)
  return value < 2n ** 32n ? `\x80${big(value, 4)}` : `\x81${big(value, 8)}`
}

export function textBytes(text: string, compresses: boolean): string {
  if (text.length <= MAX_INTEGER_TEXT) {
    const coded = integerBytes(text)
    if (coded) return coded
  }
  if (compresses && text.length >= MIN_COMPRESSED) {
    const packed = compress(text, text.length - 4)
    if (packed !== undefined) return `\xc3${lengthBytes(packed.length)}${lengthBytes(text.length)}${packed}`
  }
  return lengthBytes(text.length) + text
}

function integerBytes(text: string): string | undefined {
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return undefined
  const value = Number(text)
  const size = [1, 2, 4].findIndex(
    (bytes) => value >= -(2 ** (8 * bytes - 1)) && value < 2 ** (8 * bytes - 1),
  )
  return size < 0 ? undefined : String.fromCharCode(INTEGER | size) + little(value, 2 ** size)
}

/** A text such as Redis keeps as an integer of 64 bits. */
export const isIntegerText = (text: string): boolean =>
  /^(0|-?[1-9]\d{0,18})$/.test(text) && isInt64(BigInt(text))

export function readLength(reader: ByteReader): bigint {
  const first = reader.byte()
  return lengthOf(first, reader)
}

function lengthOf(first: number, reader: ByteReader): bigint {
  if (first < 0x40) return BigInt(first)
  if (first < 0x80) return BigInt(((first & 0x3f) << 8) | reader.byte())
  if (first === 0x80) return reader.big(4)
  if (first === 0x81) return reader.big(8)
  throw new BadFormat(`${first} begins no length`)
}

/** How many elements follow; each takes at least one byte. */
export function readCount(reader: ByteReader): number {
  const count = readLength(reader)
  if (count > BigInt(reader.left)) throw new BadFormat(`${count} elements are more than there are bytes`)
  return Number(count)
}

export function readText(reader: ByteReader): string {
  const first = reader.byte()
  if (first >= INTEGER && first < LZF) return String(reader.integer(2 ** (first & 3)))
  if (first === LZF) {
    const packed = readLength(reader)
    const length = readLength(reader)
    reader.expand(length)
    const text = decompress(reader.take(Number(packed)), Number(length))
    if (text === undefined) throw new BadFormat('damaged LZF')
    return text
  }
  return reader.take(Number(lengthOf(first, reader)))
}
