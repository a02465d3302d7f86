// A ziplist: what Redis kept small values in before 7.0. Dumps of older servers have it.
//
//   bytes (u32), offset of the last entry (u32), entries (u16), entry …, FF
//   entry: length of the one before (1 byte, or FE and 4), type and length, content
import { BadFormat, byteReader, type ByteReader } from './byte-reader.ts'

const END = 0xff
const LONG = 0xfe
const MANY = 0xffff

/** The elements; throws `BadFormat`. */
export function readZiplist(bytes: string): string[] {
  const reader = byteReader(bytes)
  if (reader.little(4) !== bytes.length) throw new BadFormat('a ziplist has another length')
  reader.little(4)
  const count = reader.little(2)
  const elements: string[] = []
  let before = 0
  while (reader.left > 1) {
    const start = reader.left
    const length = reader.byte()
    if (length === END) throw new BadFormat('a ziplist ends early')
    if ((length === LONG ? reader.little(4) : length) !== before)
      throw new BadFormat('an entry says another length of the one before')
    elements.push(readContent(reader))
    before = start - reader.left
  }
  if (reader.byte() !== END) throw new BadFormat('a ziplist does not end')
  if (count !== MANY && count !== elements.length)
    throw new BadFormat(`${elements.length} elements instead of ${count}`)
  return elements
}

const INTEGER_BYTES: Readonly<Record<number, number>> = { 0xc0: 2, 0xd0: 4, 0xe0: 8, 0xf0: 3, 0xfe: 1 }

function readContent(reader: ByteReader): string {
  const type = reader.byte()
  if (type < 0x40) return reader.take(type)
  if (type < 0x80) return reader.take(((type & 63) << 8) | reader.byte())
  if (type === 0x80) return reader.take(Number(reader.big(4)))
  const size = INTEGER_BYTES[type]
  if (size) return String(reader.integer(size))
  if (type > 0xf0 && type < 0xfe) return String((type & 15) - 1)
  throw new BadFormat(`${type} begins no entry`)
}
