// A ClientHello, drawn at random, in one record (RFC 8446, 4.1.2).
import type { Draw } from '../../test/draw.ts'

const VERSIONS = [0x0200, 0x0300, 0x0301, 0x0302, 0x0303, 0x0303, 0x0303, 0x0303, 0x0304, 0x0305] as const
/** Suites that a server of Debian takes, some that it does not, GREASE and both signalling values. */
const CIPHERS = [
  0x1301, 0x1302, 0x1303, 0x1304, 0x1305, 0xc02f, 0xc030, 0xcca8, 0xcca9, 0xc02b, 0xc02c, 0x009c, 0x009d,
  0x002f, 0x0035, 0xc013, 0xc014, 0x0033, 0x0039, 0x009e, 0x009f, 0x0041, 0x0084, 0xc0a0, 0xc0a1, 0xc09c,
  0xc09d, 0xc050, 0xc051, 0xc060, 0xc061, 0xc076, 0xc077, 0x000a, 0x0005, 0x0004, 0x0000, 0x0034, 0xc018,
  0x1a1a, 0x5600, 0x00ff,
] as const
const GROUPS = [0x001d, 0x0017, 0x001e, 0x0019, 0x0018, 0x0100, 0x0101, 0x11ec, 0x0016, 0x2a2a] as const
const SIGNATURES = [
  0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0403, 0x0201, 0x0203, 0x0807, 0x0809,
] as const
const PROTOCOLS = ['http/1.1', 'h2', 'http/1.0', 'spdy/3', 'hq', ''] as const

/** As bytes in latin1. */
export function drawHello(draw: Draw): string {
  const version = draw.pick(VERSIONS)
  const ciphers = draw.many(1, 12, () => draw.pick(CIPHERS))
  const sessionId = draw.chance(0.5) ? draw.bytes(32) : ''
  const extensions = draw.chance(0.05) ? '' : sized(2, extensionsOf(draw, version).join(''))
  const body =
    number(version, 2) +
    draw.bytes(32) +
    sized(1, sessionId) +
    sized(2, ciphers.map((cipher) => number(cipher, 2)).join('')) +
    sized(1, '\0') +
    extensions
  const message = `\x01${sized(3, body)}`
  const hello = `\x16${draw.pick(['\x03\x01', '\x03\x01', '\x03\x03', '\x03\x00'])}${sized(2, message)}`
  return draw.chance(0.95) ? hello : hello.slice(0, draw.int(hello.length))
}

function extensionsOf(draw: Draw, version: number): string[] {
  const groups = draw.many(1, 5, () => draw.pick(GROUPS))
  const all: string[] = []
  const add = (chance: number, type: number, content: () => string): void => {
    if (draw.chance(chance)) all.push(number(type, 2) + sized(2, content()))
  }
  add(0.6, 0, () => sized(2, `\0${sized(2, draw.pick(['nas.lan', 'a', 'x'.repeat(60)]))}`))
  add(0.85, 10, () => list(groups))
  add(0.7, 11, () => sized(1, draw.pick(['\0', '\0\x01\x02'])))
  add(0.85, 13, () => list(draw.many(1, 6, () => draw.pick(SIGNATURES))))
  add(0.4, 16, () => sized(2, draw.many(1, 3, () => sized(1, draw.pick(PROTOCOLS))).join('')))
  add(0.3, 5, () => '\x01\0\0\0\0')
  add(0.3, 23, () => '')
  add(0.3, 22, () => '')
  add(0.3, 35, () => '')
  add(0.3, 0xff01, () => '\0')
  if (version >= 0x0303) {
    add(0.5, 43, () =>
      sized(1, draw.many(1, 3, () => number(draw.pick([0x0304, 0x0303, 0x0302]), 2)).join('')),
    )
    add(0.5, 51, () => sized(2, draw.chance(0.2) ? '' : `${number(0x1d, 2)}${sized(2, draw.bytes(32))}`))
    add(0.4, 45, () => '\x01\x01')
  }
  return all
}

const list = (numbers: readonly number[]): string => sized(2, numbers.map((one) => number(one, 2)).join(''))

const number = (value: number, length: number): string => {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes.toString('latin1')
}

const sized = (lengthBytes: number, content: string): string => number(content.length, lengthBytes) + content
