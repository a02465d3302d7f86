import { crc32, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ask, get } from '../../../../../lab/http/ask.ts'
import { ICONS } from './icons.data.ts'
import { iconAt } from './icons.ts'

const lines = ICONS.trim()
  .split('\n')
  .map((line) => line.split(' '))

// As Apache 2.4.71 of Debian 12 answered on 2026-11-23.
test.each([
  ['/icons/a.gif', 'image/gif', 246, 'f6-65fcf41ad2840', 'Mon, 09 Nov 2026 03:07:05 GMT'],
  ['/icons/small/doc.png', 'image/png', 222, 'de-65fcf41ad2840', 'Mon, 09 Nov 2026 03:07:05 GMT'],
  ['/icons/openlogo-75.png', 'image/png', 5754, '167a-66010849eb240', 'Thu, 12 Nov 2026 08:58:41 GMT'],
  ['/icons/odf6odc-20x22.png', 'image/png', 1000, '3e8-64531cf021c40', 'Fri, 05 Dec 2025 10:21:29 GMT'],
  ['/icons/apache_pb.svg', 'image/svg+xml', 266455, '410d7-65fcf41ad2840', 'Mon, 09 Nov 2026 03:07:05 GMT'],
])('%s has the type, length, ETag and date of the package', (path, type, length, etag, date) => {
  const { text } = ask(get(path, 'Accept-Encoding: gzip\r\n'))
  const end = text.indexOf('\r\n\r\n')
  expect(text.slice(0, end).split('\r\n').slice(3)).toEqual([
    `Last-Modified: ${date}`,
    `ETag: "${etag}"`,
    'Accept-Ranges: bytes',
    `Content-Length: ${length}`,
    `Content-Type: ${type}`,
  ])
  expect(text.length - end - 4).toBe(length)
})

test('what is no icon is not found, and nothing is shown to strangers of a site with a password', () => {
  expect(ask(get('/icons/a.gif/x')).text).toMatch(/^HTTP\/1.1 404 /)
  expect(ask(get('/icons/README')).text).toMatch(/^HTTP\/1.1 404 /)
  expect(ask(get('/icons/')).text).toMatch(/^HTTP\/1.1 403 /)
})

test('every picture has its length, and its pixels can be read', () => {
  for (const [name = '', length, size] of lines) {
    const bytes = iconAt(`/icons/${name}`)!.bytes
    expect(bytes.length, name).toBe(Number(length))
    if (name.endsWith('.gif')) expect(readGif(bytes), name).toBe(size)
    if (name.endsWith('.png')) expect(readPng(bytes), name).toBe(size)
  }
})

/** Width and height, if so many pixels are there (GIF 89a, appendix F). */
function readGif(bytes: Buffer): string {
  let at = 19
  while (bytes[at] === 0x21) {
    for (at += 2; bytes[at] !== 0; at += bytes[at]! + 1);
    at += 1
  }
  expect(bytes[at]).toBe(0x2c)
  const parts: Buffer[] = []
  for (at += 11; bytes[at] !== 0; at += bytes[at]! + 1)
    parts.push(bytes.subarray(at + 1, at + 1 + bytes[at]!))
  expect(bytes.subarray(at + 1).toString('hex')).toBe('3b')
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  expect(pixelsOf(Buffer.concat(parts))).toBe(width * height)
  return `${width}x${height}`
}

/** Pixels of an LZW stream whose codes begin with 3 bits. */
function pixelsOf(data: Buffer): number {
  const lengths = [1, 1, 1, 1, 0, 0]
  let [bit, width, pixels, last] = [0, 3, 0, 0]
  for (;;) {
    let code = 0
    for (let at = 0; at < width; at += 1, bit += 1) code |= ((data[bit >> 3]! >> (bit & 7)) & 1) << at
    if (code === 5) return pixels
    if (code === 4) continue
    if (last > 0) lengths.push(last + 1)
    last = lengths[code]!
    pixels += last
    if (lengths.length === 2 ** width) width += 1
  }
}

function readPng(bytes: Buffer): string {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const named = bytes.subarray(at + 4, at + 8 + length)
    expect(crc32(named)).toBe(bytes.readUInt32BE(at + 8 + length))
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4))
    at += 12 + length
  }
  const head = chunks.get('IHDR')!
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  expect(inflateSync(chunks.get('IDAT')!)).toHaveLength((1 + Math.ceil(width / 8)) * height)
  return `${width}x${height}`
}
