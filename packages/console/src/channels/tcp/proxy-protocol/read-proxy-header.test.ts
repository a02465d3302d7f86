// Goldens are put together by hand from the tables of HAProxy's doc/proxy-protocol.txt, 2.1 and 2.2.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32c } from '@rookery/spool/crc32c.ts'
import { readProxyHeader } from './read-proxy-header.ts'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const binary = (hex: string): Buffer =>
  Buffer.concat([SIGNATURE, Buffer.from(hex.replaceAll(' ', ''), 'hex')])
const reasonOf = (bytes: Buffer): string | undefined => {
  const header = readProxyHeader(bytes)
  return header.name === 'refused' ? header.reason : undefined
}

const GOLDEN: readonly (readonly [what: string, bytes: Buffer, client: string | undefined])[] = [
  ['TCP4', latin1('PROXY TCP4 192.168.0.1 192.168.0.11 56324 443\r\n'), '192.168.0.1'],
  [
    'TCP4 at its longest',
    latin1('PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n'),
    '255.255.255.255',
  ],
  [
    'TCP6 at its longest',
    latin1(`PROXY TCP6 ${'ffff:'.repeat(7)}ffff ${'ffff:'.repeat(7)}ffff 65535 65535\r\n`),
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ],
  ['TCP6 in another spelling', latin1('PROXY TCP6 2001:0DB8:0::0007 2001:db8::1 0 1\r\n'), '2001:db8::7'],
  ['IPv4 in IPv6', latin1('PROXY TCP6 ::ffff:192.0.2.7 ::ffff:192.0.2.1 5 80\r\n'), '192.0.2.7'],
  ['UNKNOWN', latin1('PROXY UNKNOWN\r\n'), undefined],
  [
    'UNKNOWN at its longest',
    latin1(`PROXY UNKNOWN ${'ffff:'.repeat(7)}ffff ${'ffff:'.repeat(7)}ffff 65535 65535\r\n`),
    undefined,
  ],
  ['IPv4', binary('21 11 000c c0000207 cb007105 dc04 01bb'), '192.0.2.7'],
  [
    'IPv6',
    binary('21 21 0024 20010db8000000000000000000000007 20010db8000000000000000000000001 dc04 01bb'),
    '2001:db8::7',
  ],
  [
    'IPv4 in IPv6',
    binary('21 21 0024 00000000000000000000ffffc0000207 00000000000000000000ffffcb007105 dc04 01bb'),
    '192.0.2.7',
  ],
  [
    'IPv4 with a name and padding',
    binary('21 11 0018 c0000207 cb007105 dc04 01bb 020004612e6578 040002 0000'),
    '192.0.2.7',
  ],
  ['LOCAL', binary('20 00 0000'), undefined],
  ['LOCAL with what must be passed over', binary('20 11 000c c0000207 cb007105 dc04 01bb'), undefined],
  ['LOCAL of an unknown family', binary('20 ff 0002 0102'), undefined],
  ['UNSPEC', binary('21 00 0000'), undefined],
  ['UNSPEC with bytes', binary('21 00 0003 010203'), undefined],
  ['UDP, which this is not', binary('21 12 000c c0000207 cb007105 dc04 01bb'), undefined],
  ['a Unix socket', binary(`21 31 00d8 ${'61'.repeat(216)}`), undefined],
]

describe('a PROXY header', () => {
  it.each(GOLDEN)('%s names the client of the bytes behind it', (_what, bytes, client) => {
    const whole = { name: 'whole', bytes: bytes.length, client }
    expect(readProxyHeader(bytes)).toEqual(whole)
    expect(readProxyHeader(Buffer.concat([bytes, latin1('GET / HTTP/1.1\r\n\r\n')]))).toEqual(whole)
  })

  it('is incomplete until its last byte has come', () => {
    for (const [what, bytes] of GOLDEN)
      for (let length = 0; length < bytes.length; length++)
        expect(readProxyHeader(bytes.subarray(0, length)), `${what} ${length}`).toEqual({
          name: 'incomplete',
        })
  })

  it('with a checksum is taken where that is right, and refused where one bit differs', () => {
    const bytes = binary('21 11 0013 c0000207 cb007105 dc04 01bb 03 0004 00000000')
    bytes.writeUInt32BE(crc32c(bytes), bytes.length - 4)
    expect(readProxyHeader(bytes)).toMatchObject({ name: 'whole', client: '192.0.2.7' })
    fc.assert(
      // Of the addresses, and of the sum itself.
      fc.property(fc.constantFrom(16, 19, 20, 24, 27, 31, 34), fc.nat(7), (at, bit) => {
        const changed = Buffer.from(bytes)
        changed.writeUInt8((changed[at] ?? 0) ^ (1 << bit), at)
        expect(reasonOf(changed)).toBe('the checksum of its PROXY header is wrong')
      }),
    )
  })
})

describe('what is refused', () => {
  it('is a line that does not match exactly', () => {
    for (const line of [
      'PROXY TCP4 192.0.2.7 203.0.113.5 56324 443\n',
      'PROXY TCP4 192.0.2.7 203.0.113.5 56324 443\rx',
      'PROXY TCP4 192.0.2.7\r 203.0.113.5 56324 443\r\n',
      'PROXY TCP4 192.0.2.7 203.0.113.5 56324\r\n',
      'PROXY TCP4 192.0.2.7 203.0.113.5 56324 443 \r\n',
      'PROXY TCP4  192.0.2.7 203.0.113.5 56324 443\r\n',
      'PROXY TCP4 192.0.2.07 203.0.113.5 56324 443\r\n',
      'PROXY TCP4 192.0.2.256 203.0.113.5 56324 443\r\n',
      'PROXY TCP4 192.0.2.7 203.0.113.5 056324 443\r\n',
      'PROXY TCP4 192.0.2.7 203.0.113.5 65536 443\r\n',
      'PROXY TCP4 192.0.2.7 203.0.113.5 -1 443\r\n',
      'PROXY TCP4 2001:db8::7 203.0.113.5 56324 443\r\n',
      'PROXY TCP4 192.0.2.7 2001:db8::1 56324 443\r\n',
      'PROXY TCP6 192.0.2.7 203.0.113.5 56324 443\r\n',
      'PROXY TCP6 2001:db8::7 203.0.113.5 56324 443\r\n',
      'PROXY TCP6 fe80::1%eth0 2001:db8::1 56324 443\r\n',
      'PROXY TCP6 2001:db8::7::1 2001:db8::1 56324 443\r\n',
      'PROXY UDP4 192.0.2.7 203.0.113.5 56324 443\r\n',
      'PROXY constructor 192.0.2.7 203.0.113.5 56324 443\r\n',
      'PROXY UNKNOWNX\r\n',
      'PROXY tcp4 192.0.2.7 203.0.113.5 56324 443\r\n',
      'PROXY \r\n',
      `PROXY UNKNOWN ${'x'.repeat(92)}\r\n`,
      'PROXY ' + 'x'.repeat(101),
    ])
      expect(reasonOf(latin1(line)), line).toMatch(/^its PROXY line /)
  })

  it('is a binary header that does not match exactly', () => {
    for (const [hex, reason] of [
      ['11 11 000c', /version/],
      ['31 11 000c', /version/],
      ['22 11 000c', /command/],
      ['2f 11 000c', /command/],
      ['21 41 000c', /family/],
      ['21 13 000c', /family/],
      ['21 11 000b', /too short/],
      ['21 21 000c', /too short/],
      ['21 31 0024', /too short/],
      ['21 11 ffff', /65551 bytes/],
      ['20 00 0ff1', /4097 bytes/],
    ] as const)
      // At once: what else is announced is not awaited.
      expect(reasonOf(binary(hex)), hex).toMatch(reason)
  })

  it('is a field that is longer than the header, or cut off', () => {
    for (const field of ['04ffff', '040001', '04', '0400', '03 0003 000000', '03 0005 0000000000'])
      expect(
        reasonOf(
          binary(
            `21 11 ${(12 + field.replaceAll(' ', '').length / 2).toString(16).padStart(4, '0')} c0000207 cb007105 dc04 01bb ${field}`,
          ),
        ),
        field,
      ).toMatch(/field|checksum/)
  })

  it('is every other first byte, as soon as it differs', () => {
    for (const text of ['G', 'PUT', 'PROXY\r', 'proxy ', '\r\n\r\n\0\r\nQUIX', '\x16\x03\x01', '\0'])
      expect(reasonOf(latin1(text)), text).toBe('it does not begin with a PROXY header')
  })
})

it('any bytes are a header, a refusal, or the beginning of one that is no longer than 4 KiB', () => {
  const starts = fc.constantFrom(...GOLDEN.map(([, bytes]) => bytes), latin1('PROXY '), SIGNATURE)
  fc.assert(
    fc.property(starts, fc.nat(), fc.uint8Array({ maxLength: 300 }), (start, at, random) => {
      const bytes = Buffer.concat([start.subarray(0, at % (start.length + 1)), random])
      const header = readProxyHeader(bytes)
      if (header.name === 'whole') expect(header.bytes).toBeLessThanOrEqual(bytes.length)
      if (header.name === 'incomplete') expect(bytes.length).toBeLessThan(4_096)
    }),
    { numRuns: 2_000 },
  )
})
