// White pictures of a given size whose files have a given length. What a file needs less is a comment.
import { crc32, deflateSync } from 'node:zlib'

const CLEAR = 4
const END = 5
const MAX_BLOCK = 255

/** GIF 89a: header, screen, colour table, comment, one picture. */
export function blankGif(width: number, height: number, length: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width)
  size.writeUInt16LE(height, 2)
  const before = Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.from([0x80, 0, 0, 255, 255, 255, 0, 0, 0]),
  ])
  const picture = Buffer.concat([
    Buffer.from([0x2c, 0, 0, 0, 0]),
    size,
    Buffer.from([0, 2]),
    blocks(zeros(width * height)),
    Buffer.from([0x3b]),
  ])
  return Buffer.concat([before, comment(length - before.length - picture.length), picture])
}

/** So many bytes; fewer than four cannot be a comment with text. */
function comment(length: number): Buffer {
  if (length < 4) return Buffer.alloc(0)
  let text = length - 3
  while (text + Math.ceil(text / MAX_BLOCK) > length - 3) text -= 1
  const made = Buffer.concat([Buffer.from([0x21, 0xfe]), blocks(Buffer.alloc(text, ' '))])
  // A block of 255 bytes ends where one byte is left: an empty comment takes its place.
  return made.length === length ? made : Buffer.concat([comment(length - 4), comment(4)])
}

/** Data in blocks of 255 bytes at most, and the empty block that ends them. */
function blocks(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += MAX_BLOCK) {
    const part = bytes.subarray(at, at + MAX_BLOCK)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat([...parts, Buffer.from([0])])
}

/** LZW of that many pixels of colour 0: each code stands for one pixel more than the one before. */
function zeros(pixels: number): Buffer {
  const bits: number[] = []
  let width = 3
  const write = (code: number): void => {
    for (let bit = 0; bit < width; bit += 1) bits.push((code >> bit) & 1)
  }
  write(CLEAR)
  for (let left = pixels, count = 1; left > 0; count += 1) {
    const run = Math.min(count, left)
    write(run === 1 ? 0 : END - 1 + run)
    left -= run
    // The decoder has learnt an entry, and its next one needs another bit.
    if (count > 1 && END + count === 2 ** width) width += 1
  }
  write(END)
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  for (const [at, bit] of bits.entries()) bytes[at >> 3]! |= bit << (at & 7)
  return bytes
}

/** PNG: one bit a pixel. */
export function blankPng(width: number, height: number, length: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 255)
  row[0] = 0
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)), { level: 9 })
  const parts = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]
  const text = Buffer.alloc(length - Buffer.concat(parts).length - CHUNK_BYTES, ' ')
  text.write('Comment\0', 'latin1')
  return Buffer.concat([...parts.slice(0, 2), chunk('tEXt', text), ...parts.slice(2)])
}

/** Length, type and checksum of a chunk. */
const CHUNK_BYTES = 12

function chunk(type: string, bytes: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), bytes])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(bytes.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

export function blankSvg(width: number, height: number, length: number): Buffer {
  const [before, after] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    '</svg>\n',
  ]
  return Buffer.from(before + ' '.repeat(length - before.length - after.length) + after)
}
