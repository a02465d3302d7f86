// A file of PNG (W3C PNG, 11.2): signature, header, palette, one compressed image, end.
import { crc32, deflateSync } from 'node:zlib'

/** By its number in the header. */
const COLOUR_TYPES = { greyscale: 0, palette: 3 } as const

export interface PngImage {
  /** Width and height. */
  readonly size: number
  readonly bitDepth: 1 | 4
  /** Three bytes a colour; a picture without is greyscale. */
  readonly palette?: Uint8Array
  /** Lines from above, each behind its filter byte. */
  readonly lines: Uint8Array
}

export function pngFile({ size, bitDepth, palette, lines }: PngImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header[8] = bitDepth
  header[9] = palette ? COLOUR_TYPES.palette : COLOUR_TYPES.greyscale
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Length, type, content, CRC over type and content. */
function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(content.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
