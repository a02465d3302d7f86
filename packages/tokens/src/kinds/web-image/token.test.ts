import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contentTypeOf } from '../../file-format.ts'
import { readSettings } from '../../settings.ts'
import { descriptor } from './descriptor.ts'
import image from './token.ts'

const FORMATS = descriptor.settings.web_image.formats

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))
const png = (width: number, height: number): Uint8Array => {
  const bytes = Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${'\0'.repeat(13)}`, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const gif = bytesOf('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')
/** APP0, a fill byte, a table, then a baseline frame of 3 × 2 pixels. */
const jpeg = bytesOf('/9j/4AAEAAD//8QABAAA/8AACwgAAgADAQERAP/Z')
const webp = (kind: string, rest: string): Uint8Array =>
  Buffer.concat([Buffer.from(`RIFF\x40\0\0\0WEBP${kind}\x10\0\0\0`, 'latin1'), Buffer.from(rest, 'hex')])

const ico = Buffer.from(`\0\0\x01\0\x01\0\x10\x10${'\0'.repeat(14)}`, 'latin1')
/** The root element behind what programs write in front of it. */
const svgs = [
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '\ufeff<?xml version="1.0"?>\n<!-- <html> -->\n<!DOCTYPE svg PUBLIC "a" "b">\n<!---->\n<svg\n width="1"></svg>',
  '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>',
]

const given = (bytes: Uint8Array) => ({ filename: 'logo.txt', contentType: 'text/plain', bytes })
const read = (bytes: Uint8Array) => readSettings(descriptor, { web_image: given(bytes) })

it('a picture is what its bytes say, not what its name or its sender says', () => {
  const pictures: [contentType: string, bytes: Uint8Array][] = [
    ['image/png', png(1, 16_384)],
    ['image/gif', gif],
    ['image/jpeg', jpeg],
    ['image/webp', webp('VP8 ', '0000009d012a01000100')],
    ['image/webp', webp('VP8L', '2f00000000')],
    ['image/webp', webp('VP8X', '00000000ff0100000000')],
    ['image/x-icon', ico],
    ...svgs.map((text) => ['image/svg+xml', Buffer.from(text)] as [string, Uint8Array]),
    ['image/svg+xml', Buffer.from(`\ufeff${svgs[1]}`, 'utf16le')],
    ['image/svg+xml', Buffer.from(`\ufeff${svgs[1]}`, 'utf16le').swap16()],
  ]
  for (const [contentType, bytes] of pictures)
    expect(read(bytes)).toEqual({ web_image: { ...given(bytes), contentType } })
})

it('what is no picture is refused by name, as is one that is cut off or too large to draw', () => {
  const wrong: [reason: string, bytes: Uint8Array][] = [
    [
      'must be a file of the format png, jpeg, gif, webp, ico, svg, not one that begins with "<html><s"',
      Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'),
    ],
    [
      'must be a file of the format png, jpeg, gif, webp, ico, svg, not one that begins with "<!-- <sv"',
      Buffer.from('<!-- <svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['must be a whole picture, not the beginning of a ico', ico.subarray(0, 20)],
    [
      'must be a file of the format png, jpeg, gif, webp, ico, svg, not one that begins with "........"',
      Buffer.from('\0\0\x02\0\x01\0\0\0', 'latin1'),
    ],
    [
      'must be a file of the format png, jpeg, gif, webp, ico, svg, not one that begins with "MZ......"',
      Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'),
    ],
    ['must be a whole picture, not the beginning of a png', png(1, 1).subarray(0, 20)],
    ['must be a whole picture, not the beginning of a jpeg', jpeg.subarray(0, 12)],
    ['must be a picture of 1 to 16384 pixels in width and height, not 1 × 4294967295', png(1, 0xffffffff)],
    ['must be a picture of 1 to 16384 pixels in width and height, not 0 × 1', png(0, 1)],
    ['must be a file of at most 5242880 bytes, not 5242881', new Uint8Array(5 * 1024 * 1024 + 1)],
  ]
  for (const [reason, bytes] of wrong)
    expect(() => read(bytes), reason).toThrow(
      expect.objectContaining({ code: 'bad-input', details: { web_image: reason } }),
    )
  expect(() => readSettings(descriptor, {})).toThrow('Parameter web_image is required.')
})

it('whatever the bytes are, they are judged', () => {
  const heads = [
    gif,
    jpeg,
    png(9, 9),
    webp('VP8X', '00000000ff0100000000'),
    ico,
    Buffer.from(svgs[2] ?? ''),
  ].map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(
      fc.constantFrom(...heads),
      fc.nat(40),
      fc.uint8Array({ maxLength: 64 }),
      (head, cut, tail) => {
        const judged = contentTypeOf(Buffer.concat([head.subarray(0, cut), tail]), FORMATS)
        expect(Object.values(judged)[0]).toMatch(/^(image\/|must be )/)
      },
    ),
  )
})

it('any request fires, and gets the picture as its type says, under a policy that runs nothing', () => {
  const web_image = { fileId: 'f', filename: 'logo.txt', contentType: 'image/gif', size: 42 }
  const visit = {
    channel: 'http',
    method: 'GET',
    path: '/',
    headers: {},
    srcHost: '192.0.2.7',
    dstPort: 80,
  } as const
  expect(image.on.http?.judge).toBeUndefined()
  const answer = image.on.http?.answer?.(visit, { web_image })
  expect(answer).toMatchObject({ status: 200, body: web_image })
  expect(answer?.headers).toMatchObject({
    'Content-Type': 'image/gif',
    'X-Content-Type-Options': 'nosniff',
    // What an SVG would run or load, if somebody opens its address.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  })
})
