// A PNG of one bit a pixel (W3C PNG, 11.2): signature, header, one compressed image, end.
import { crc32, deflateSync } from 'node:zlib'
import type { Modules } from './symbol.ts'

const PIXELS_PER_MODULE = 8
/** Light modules around the symbol (ISO/IEC 18004, 6.3.8). */
const QUIET_ZONE = 4

export function pngOf(modules: Modules): Buffer {
  const size = (modules.length + 2 * QUIET_ZONE) * PIXELS_PER_MODULE
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // One bit a pixel, greyscale.
  header[8] = 1
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(scanlines(modules, size), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Each line has a filter byte in front: 0, none. A set bit is white, and a module is one byte wide. */
function scanlines(modules: Modules, size: number): Buffer {
  const bytesPerLine = 1 + size / 8
  const image = Buffer.alloc(size * bytesPerLine, 0xff)
  for (let y = 0; y < size; y++) {
    const line = y * bytesPerLine
    image[line] = 0
    const row = modules[Math.floor(y / PIXELS_PER_MODULE) - QUIET_ZONE] ?? []
    row.forEach((isDark, x) => {
      if (isDark) image[line + 1 + QUIET_ZONE + x] = 0
    })
  }
  return image
}

/** Length, type, content, CRC over type and content. */
function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(content.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
