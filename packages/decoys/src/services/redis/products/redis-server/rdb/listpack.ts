// A listpack: small elements in one piece of memory (github.com/antirez/listpack).
//
//   ┌─────────────┬───────────┬─────────────────────────────┬────┐
//   │ bytes (u32) │ elements  │ type, content, back length … │ FF │
//   │             │ (u16)     │                              │    │
//   └─────────────┴───────────┴─────────────────────────────┴────┘
import { BadFormat, byteReader, little, type ByteReader } from './byte-reader.ts'
import { isIntegerText } from './text.ts'

const END = 0xff
const HEADER_BYTES = 6
const MANY = 0xffff

/** Bytes of an empty one. */
export const EMPTY_LISTPACK_BYTES = HEADER_BYTES + 1

/** Elements that read as integers are written as such. */
export function listpack(elements: readonly string[]): string {
  const body = elements.map(elementBytes).join('')
  const size = EMPTY_LISTPACK_BYTES + body.length
  return `${little(size, 4)}${little(Math.min(elements.length, MANY), 2)}${body}\xff`
}

/** Bytes of an element, found without writing it where it is no number. */
export function elementSize(text: string): number {
  const { length } = text
  if (length === 0 || length > MAX_NUMBER || text > ':') {
    const content = length + (length < 64 ? 1 : length < 4096 ? 2 : 5)
    return content + (content < 128 ? 1 : backLength(content).length)
  }
  return elementBytes(text).length
}

/** Digits of a number of 64 bits, with its sign. */
const MAX_NUMBER = 20

/** One element with its back length. */
function elementBytes(text: string): string {
  const content = isIntegerText(text) ? integerBytes(BigInt(text)) : stringBytes(text)
  return content + backLength(content.length)
}

function integerBytes(value: bigint): string {
  if (value >= 0n && value < 128n) return little(value, 1)
  if (value >= -4096n && value < 4096n) {
    const bits = Number(BigInt.asUintN(13, value))
    return String.fromCharCode(0xc0 | (bits >> 8), bits & 255)
  }
  const size = [2, 3, 4, 8].find((bytes) => BigInt.asIntN(8 * bytes, value) === value)!
  return String.fromCharCode(size === 8 ? 0xf4 : 0xef + size) + little(value, size)
}

function stringBytes(text: string): string {
  const { length } = text
  if (length < 64) return String.fromCharCode(0x80 | length) + text
  if (length < 4096) return String.fromCharCode(0xe0 | (length >> 8), length & 255) + text
  return `\xf0${little(length, 4)}${text}`
}

/** Seven bits a byte, to be read from the right. */
function backLength(length: number): string {
  const bytes = [length & 127]
  for (let rest = length >> 7; rest > 0; rest >>= 7) bytes.push(rest & 127)
  return String.fromCharCode(...bytes.reverse().map((bits, i) => (i === 0 ? bits : bits | 128)))
}

/** The elements; throws `BadFormat`. */
export function readListpack(bytes: string): string[] {
  const reader = byteReader(bytes)
  const size = reader.little(4)
  const count = reader.little(2)
  if (size !== bytes.length) throw new BadFormat(`a listpack of ${bytes.length} bytes says ${size}`)
  const elements: string[] = []
  while (reader.left > 1) {
    const before = reader.left
    elements.push(readElement(reader))
    const length = before - reader.left
    if (reader.take(backLength(length).length) !== backLength(length))
      throw new BadFormat('a back length is wrong')
  }
  if (reader.byte() !== END) throw new BadFormat('a listpack does not end')
  if (count !== MANY && count !== elements.length)
    throw new BadFormat(`${elements.length} elements instead of ${count}`)
  return elements
}

function readElement(reader: ByteReader): string {
  const type = reader.byte()
  if (type < 0x80) return String(type)
  if (type < 0xc0) return reader.take(type & 63)
  if (type < 0xe0) return String(BigInt.asIntN(13, BigInt(((type & 31) << 8) | reader.byte())))
  if (type < 0xf0) return reader.take(((type & 15) << 8) | reader.byte())
  if (type === 0xf0) return reader.take(reader.little(4))
  if (type > 0xf4) throw new BadFormat(`${type} begins no element`)
  return String(reader.integer(type === 0xf4 ? 8 : type - 0xef))
}
