// Appends an update to a PDF (ISO 32000-1, 7.5.6): one object anew, and where it lies. Every byte before it stays.
import { deflateSync } from 'node:zlib'
import { MAX_NUMBER, type PdfPlace } from './cross-references.ts'
import type { PdfDocument, PdfObject } from './document.ts'
import { asInteger, type PdfText } from './syntax.ts'

/** Of the trailer, they stay as they are. */
const KEPT = ['Root', 'Info', 'ID', 'Encrypt']

/** The document with another text of an object. One whose tables are wrong gets a whole one. */
export function withObject(
  document: PdfDocument,
  { number, generation, isPacked }: PdfObject,
  text: PdfText,
): Buffer {
  const { bytes, cipher, places, start, trailer } = document
  const pieces: Buffer[] = [bytes, Buffer.from('\n')]
  let length = bytes.length + 1
  const changed = new Map<number, PdfPlace>(start === undefined ? places : [])
  const highest = [...places.keys()].reduce((most, it) => Math.max(most, it), 0)
  const size = asInteger(trailer.get('Size')) ?? 0
  let free = Math.max(size > MAX_NUMBER ? 0 : size, highest + 1)
  const write = (at: number, itsGeneration: number, object: Buffer): void => {
    changed.set(at, { type: 'file', offset: length, generation: itsGeneration })
    const piece = Buffer.concat([
      Buffer.from(`${at} ${itsGeneration} obj\n`),
      ...[object, Buffer.from('\nendobj\n')],
    ])
    pieces.push(piece)
    length += piece.length
  }
  if (isPacked) {
    const stream = free++
    const head = `${number} 0 `
    const packed = deflateSync(Buffer.concat([Buffer.from(head), text]))
    const content = cipher?.encryptStream(stream, 0, packed) ?? packed
    write(stream, 0, streamOf(`/Type/ObjStm/N 1/First ${head.length}/Filter/FlateDecode`, content))
    changed.set(number, { type: 'packed', stream, index: 0 })
  } else write(number, generation, text)

  const kept = KEPT.map((name) => [name, trailer.get(name)] as const)
  const entries = [...kept, ['Prev', start === undefined ? undefined : String(start)] as const]
    .map(([name, value]) => (value === undefined ? '' : `/${name} ${value.toString('latin1')}`))
    .join('')
  const at = length
  const needsStream = [...changed.values()].some(({ type }) => type === 'packed')
  if (document.isStream || needsStream) {
    changed.set(free, { type: 'file', offset: at, generation: 0 })
    write(free, 0, tableStream(changed, `/Size ${free + 1}${entries}`))
  } else pieces.push(Buffer.from(`${tableOf(changed)}trailer\n<</Size ${free}${entries}>>\n`, 'latin1'))
  pieces.push(Buffer.from(`startxref\n${at}\n%%EOF\n`))
  return Buffer.concat(pieces)
}

const streamOf = (dictionary: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${content.length}>>\nstream\n`, 'latin1'),
    content,
    Buffer.from('\nendstream'),
  ])

const inOrder = (places: ReadonlyMap<number, PdfPlace>): [number, PdfPlace][] =>
  [...places].toSorted(([a], [b]) => a - b)

const digits = (value: number, count: number): string => String(value).padStart(count, '0')

function tableOf(places: ReadonlyMap<number, PdfPlace>): string {
  const rows = inOrder(places).map(([number, place]) =>
    place.type === 'file'
      ? `${number} 1\n${digits(place.offset, 10)} ${digits(place.generation, 5)} n \n`
      : '',
  )
  return `xref\n0 1\n0000000000 65535 f \n${rows.join('')}`
}

/** Of one byte for the type, four for the first number and two for the second. */
const WIDTHS = [1, 4, 2]

function tableStream(places: ReadonlyMap<number, PdfPlace>, entries: string): Buffer {
  const rows = inOrder(places)
  const content = Buffer.alloc(rows.length * 7)
  for (const [n, [, place]] of rows.entries()) {
    const isFile = place.type === 'file'
    content.writeUInt8(isFile ? 1 : 2, n * 7)
    content.writeUInt32BE(isFile ? place.offset : place.stream, n * 7 + 1)
    content.writeUInt16BE(isFile ? place.generation & 0xffff : place.index & 0xffff, n * 7 + 5)
  }
  const index = rows.map(([number]) => `${number} 1`).join(' ')
  return streamOf(
    `/Type/XRef/W[${WIDTHS.join(' ')}]/Index[${index}]${entries}/Filter/FlateDecode`,
    deflateSync(content),
  )
}
