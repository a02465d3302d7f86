// Writes a PDF whose objects and cross-references are compressed (ISO 32000-1, 7.5.7 and 7.5.8): none of them is a text of the file.
import { deflateSync } from 'node:zlib'

interface PdfEnd {
  /** Entries of the trailer besides its size and the id. */
  readonly trailer: string
  /** 32 hexadecimal digits. */
  readonly id: string
  /** In front of the offset at the end. */
  readonly comment: string
}

/** A stream object without its number. */
export function pdfStream({ dictionary, content }: { dictionary: string; content: Buffer }): Buffer {
  const packed = deflateSync(content)
  return Buffer.concat([
    Buffer.from(`<<${dictionary}/Filter/FlateDecode/Length ${packed.byteLength}>>stream\n`, 'latin1'),
    packed,
    Buffer.from('\nendstream'),
  ])
}

const HEADER = Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1')

/** Objects are numbered from 1 on; the buffers are streams, the texts go into one stream together. */
export function compressedPdf(
  objects: readonly (string | Buffer)[],
  { trailer, id, comment }: PdfEnd,
): Buffer {
  const packed = objects.flatMap((object, n) =>
    typeof object === 'string' ? [{ number: n + 1, object }] : [],
  )
  const packNumber = objects.length + 1
  const tableNumber = objects.length + 2
  const pieces: Buffer[] = [HEADER]
  let length = HEADER.byteLength
  /** By number: a place in the file, or one in the stream of objects. */
  const places: Place[] = [{ type: 0, first: 0, second: 0xffff }]
  const write = (number: number, object: Buffer): void => {
    places[number] = { type: 1, first: length, second: 0 }
    const piece = Buffer.concat([Buffer.from(`${number} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    pieces.push(piece)
    length += piece.byteLength
  }
  for (const [n, object] of objects.entries()) if (typeof object !== 'string') write(n + 1, object)
  for (const [index, { number }] of packed.entries())
    places[number] = { type: 2, first: packNumber, second: index }
  write(packNumber, objectStream(packed))
  const tableAt = length
  places[tableNumber] = { type: 1, first: tableAt, second: 0 }
  const dictionary = `/Type/XRef/Size ${places.length}/W[1 4 2]${trailer}/ID[<${id}><${id}>]`
  write(tableNumber, pdfStream({ dictionary, content: Buffer.concat(places.map(placeBytes)) }))
  return Buffer.concat([...pieces, Buffer.from(`%${comment}\nstartxref\n${tableAt}\n%%EOF\n`)])
}

interface Place {
  /** 0 is free, 1 lies in the file, 2 in a stream of objects. */
  readonly type: 0 | 1 | 2
  readonly first: number
  readonly second: number
}

function placeBytes({ type, first, second }: Place): Buffer {
  const bytes = Buffer.alloc(7)
  bytes.writeUInt8(type)
  bytes.writeUInt32BE(first, 1)
  bytes.writeUInt16BE(second, 5)
  return bytes
}

/** Pairs of number and offset, then the objects. */
function objectStream(objects: readonly { readonly number: number; readonly object: string }[]): Buffer {
  let offset = 0
  const pairs = objects.map(({ number, object }) => {
    const pair = `${number} ${offset} `
    offset += object.length + 1
    return pair
  })
  const head = pairs.join('')
  const texts = objects.map(({ object }) => `${object} `)
  return pdfStream({
    dictionary: `/Type/ObjStm/N ${objects.length}/First ${head.length}`,
    content: Buffer.from(head + texts.join(''), 'latin1'),
  })
}
