import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import qr from './token.ts'

const forge = (url: string) => qr.forge({ tokenId: 'abc', url, hostname: 'abc.t.example' }, {})
const urlOf = (length: number): string => 'http://t.example/'.padEnd(length, 'x')

/** Width and height in pixels, and the rows as bytes, without their filters. */
function read(png: Uint8Array): { size: number; rows: Buffer[] } {
  const bytes = Buffer.from(png)
  const size = bytes.readUInt32BE(16)
  const start = bytes.indexOf('IDAT') + 4
  const image = inflateSync(bytes.subarray(start, start + bytes.readUInt32BE(start - 8)))
  return {
    size,
    rows: Array.from({ length: size }, (_, y) =>
      image.subarray(y * (1 + size / 8) + 1, (y + 1) * (1 + size / 8)),
    ),
  }
}

describe('the qr-code kind', () => {
  it('plants the URL and a picture of it, the same each time', () => {
    const url = 'http://t.example/img/abc/pixel.gif'
    const { renders, file } = forge(url)
    expect(renders).toEqual({ url })
    expect([file?.filename, file?.contentType]).toEqual(['qr-code.png', 'image/png'])
    expect(file?.bytes).toEqual(forge(url).file?.bytes)
  })

  it('the picture grows with the URL: version 1 to 10, with a quiet zone of four modules', () => {
    const versions = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213].map((bytes, index) => {
      const url = bytes < 17 ? 'http://t.e/abc' : urlOf(bytes)
      return [index + 1, (read(forge(url).file?.bytes ?? new Uint8Array()).size / 8 - 8 - 17) / 4]
    })
    for (const [expected, version] of versions) expect(version).toBe(expected)
  })

  it('has its three finders in a light frame', () => {
    const { size, rows } = read(forge(urlOf(60)).file?.bytes ?? new Uint8Array())
    const module = (x: number, y: number): string => (rows[y * 8]?.[x] === 0 ? '1' : '0')
    const line = (from: number, y: number): string =>
      Array.from({ length: 9 }, (_, at) => module(from + at, y)).join('')
    const modules = size / 8
    expect([line(3, 4), line(modules - 12, 4), line(3, modules - 11)]).toEqual([
      '011111110',
      '011111110',
      '011111110',
    ])
    expect(rows[0]?.every((byte) => byte === 0xff)).toBe(true)
  })

  it('refuses a URL that is too long, and says how long it may be', () => {
    expect(() => forge(urlOf(213))).not.toThrow()
    expect(() => forge(urlOf(214))).toThrow('too long for a QR code')
  })

  it('draws the modules that zbarimg read in the proof', () => {
    const { rows } = read(forge('http://t.example/img/abc/pixel.gif').file?.bytes ?? new Uint8Array())
    expect(createHash('sha256').update(Buffer.concat(rows)).digest('hex')).toBe(
      '63f51fb3f3875b08cf41afafea8d151374446415ceaa997b7102e3e6990e6dc9',
    )
  })
})
