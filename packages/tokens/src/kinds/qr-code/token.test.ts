import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import forge from './forge.ts'
import qr from './token.ts'

const addressOf = (url: string) => ({ tokenId: 'abc', url, hostname: 'abc.t.example' })
const draw = (url: string) => forgeFile(forge, { address: addressOf(url) })
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
  it('plants the URL and a picture of it, the same each time', async () => {
    const url = 'http://t.example/img/abc/pixel.gif'
    expect(qr.renders(addressOf(url), {})).toEqual({ url, svg: expect.stringMatching(/^<svg /) as string })
    const { filename, contentType, bytes } = await draw(url)
    expect([filename, contentType]).toEqual(['qr-code.png', 'image/png'])
    expect(bytes).toEqual((await draw(url)).bytes)
  })

  it('the picture grows with the URL: version 1 to 10, with a quiet zone of four modules', async () => {
    for (const [index, bytes] of [14, 26, 42, 62, 84, 106, 122, 152, 180, 213].entries()) {
      const url = bytes < 17 ? 'http://t.e/abc' : urlOf(bytes)
      expect((read((await draw(url)).bytes).size / 8 - 8 - 17) / 4).toBe(index + 1)
    }
  })

  it('has its three finders in a light frame', async () => {
    const { size, rows } = read((await draw(urlOf(60))).bytes)
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

  it('has the same modules as an SVG', async () => {
    for (const length of [20, 60, 213]) {
      const url = urlOf(length)
      const { size, rows } = read((await draw(url)).bytes)
      const { svg = '' } = qr.renders(addressOf(url), {})
      const modules = size / 8
      expect(svg).toContain(`viewBox="0 0 ${modules} ${modules}"`)
      const drawn = Array.from({ length: modules }, () => Array<boolean>(modules).fill(false))
      for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g))
        drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
      const inPng = Array.from({ length: modules }, (_, y) =>
        [...(rows[y * 8] ?? [])].map((byte) => byte === 0),
      )
      expect(drawn).toEqual(inPng)
    }
  })

  it('refuses a URL that is too long, and says how long it may be', () => {
    expect(() => qr.renders(addressOf(urlOf(213)), {})).not.toThrow()
    expect(() => qr.renders(addressOf(urlOf(214)), {})).toThrow('too long for a QR code')
  })

  it('draws the modules that zbarimg read in the proof', async () => {
    const { rows } = read((await draw('http://t.example/img/abc/pixel.gif')).bytes)
    expect(createHash('sha256').update(Buffer.concat(rows)).digest('hex')).toBe(
      '63f51fb3f3875b08cf41afafea8d151374446415ceaa997b7102e3e6990e6dc9',
    )
  })

  it('draws each version the same as ever, so that a picture which was printed can be made again', () => {
    const drawn = createHash('sha256')
    for (let length = 20; length <= 213; length++)
      drawn.update(qr.renders(addressOf(urlOf(length)), {})['svg'] ?? '')
    expect(drawn.digest('hex')).toBe('310a2426eb30dec2219e321c1398f9be6324af7d79ade9378908e37191945395')
  })
})
