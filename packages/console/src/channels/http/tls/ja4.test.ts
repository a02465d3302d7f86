import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHello } from './client-hello.ts'
import { ja4 } from './ja4.ts'

interface Golden {
  readonly hellos: readonly { readonly client: string; readonly hello: string; readonly ja4: string }[]
}

const { hellos } = JSON.parse(
  readFileSync(new URL('golden/client-hellos.json', import.meta.url), 'utf8'),
) as Golden
const messageOf = (hex: string): Buffer =>
  readHello(Buffer.from(hex, 'hex')).message ?? expect.fail('no whole hello')

const u16 = (value: number): number[] => [value >> 8, value & 255]
const vector = (bytes: readonly number[], lengthBytes: 1 | 2): number[] => [
  ...(lengthBytes === 1 ? [bytes.length] : u16(bytes.length)),
  ...bytes,
]

interface Given {
  readonly version?: number
  readonly ciphers?: readonly number[]
  readonly extensions?: readonly (readonly [type: number, content: readonly number[]])[]
}

/** A ClientHello of these parts. */
function hello({ version = 0x0303, ciphers = [0x1301], extensions }: Given): Buffer {
  const body = [
    ...u16(version),
    ...Array.from({ length: 32 }, (_, n) => n),
    ...vector([], 1),
    ...vector(ciphers.flatMap(u16), 2),
    ...vector([0], 1),
    ...(extensions
      ? vector(
          extensions.flatMap(([type, content]) => [...u16(type), ...vector(content, 2)]),
          2,
        )
      : []),
  ]
  return Buffer.from([1, 0, ...u16(body.length), ...body])
}

const alpn = (...bytes: number[]) => [0x0010, vector(vector(bytes, 1), 2)] as const
const versions = (...values: number[]) => [0x002b, vector(values.flatMap(u16), 1)] as const
const algorithms = (...values: number[]) => [0x000d, vector(values.flatMap(u16), 2)] as const

/** The lists of FoxIO's example, in which its page shows the hashes. */
const CIPHERS = [
  0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c, 0x009d,
  0x002f, 0x0035,
]
const TYPES = [0x001b, 0x0033, 0x4469, 0x0017, 0x002d, 0x0005, 0x0023, 0x0012, 0xff01, 0x000b, 0x000a, 0x0015]
const ALGORITHMS = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601]
const plain = TYPES.map((type) => [type, []] as const)

describe('the fingerprint of a client', () => {
  it.each(hellos)('$client is the published one', ({ hello: hex, ja4: published }) => {
    expect(ja4(messageOf(hex))).toBe(published)
  })

  it('is the same in whatever order ciphers and extensions come, with and without GREASE', () => {
    const parts = [
      ...plain,
      alpn(...Buffer.from('h2')),
      versions(0x0304, 0x0303),
      algorithms(...ALGORITHMS),
      [0x0000, []] as const,
    ]
    expect(ja4(hello({ ciphers: CIPHERS, extensions: parts }))).toBe('t13d1516h2_8daaf6152771_e5627efa2ab1')
    fc.assert(
      fc.property(
        fc.shuffledSubarray(CIPHERS, { minLength: CIPHERS.length }),
        fc.shuffledSubarray(parts, { minLength: parts.length }),
        fc.constantFrom(0x0a0a, 0x3a3a, 0xfafa),
        (ciphers, extensions, grease) => {
          const greased = {
            ciphers: [grease, ...ciphers],
            extensions: [[grease, [0]] as const, ...extensions],
          }
          expect(ja4(hello(greased))).toBe('t13d1516h2_8daaf6152771_e5627efa2ab1')
        },
      ),
    )
  })

  it('has the hash of the extensions alone where the client names no signature algorithms', () => {
    const parts = [...plain, [0x000d, []] as const, [0x002b, []] as const]
    expect(ja4(hello({ ciphers: CIPHERS, extensions: parts }))?.slice(-12)).toBe('6d807ffa2a79')
  })

  it('has zeros in the place of an empty list', () => {
    expect(ja4(hello({ ciphers: [] }))).toBe('t12i000000_000000000000_000000000000')
    expect(ja4(hello({ ciphers: [0x1a1a], extensions: [alpn(...Buffer.from('h2')), [0x0000, []]] }))).toBe(
      't12d0002h2_000000000000_000000000000',
    )
  })

  it('names the highest version that is offered, else that of the message', () => {
    const versionOf = (given: Given): string | undefined => ja4(hello(given))?.slice(1, 3)
    for (const [value, name] of [
      [0x0303, '12'],
      [0x0302, '11'],
      [0x0301, '10'],
      [0x0300, 's3'],
      [0x0002, 's2'],
      [0x0305, '00'],
    ] as const)
      expect(versionOf({ version: value })).toBe(name)
    expect(versionOf({ extensions: [versions(0x2a2a, 0x0302, 0x0304, 0x0303)] })).toBe('13')
    expect(versionOf({ extensions: [versions(0x2a2a)] })).toBe('00')
  })

  it('has the ends of the first protocol, in hex where one is neither letter nor digit', () => {
    const alpnOf = (...bytes: number[]): string | undefined =>
      ja4(hello({ extensions: [alpn(...bytes)] }))?.slice(8, 10)
    for (const [bytes, text] of [
      [[...Buffer.from('http/1.1')], 'h1'],
      [[...Buffer.from('x')], 'xx'],
      [[0xab], 'ab'],
      [[0xab, 0xcd], 'ad'],
      [[0x30, 0xab], '3b'],
      [[0x30, 0x31, 0xab, 0xcd], '3d'],
      [[0x30, 0xab, 0xcd, 0x31], '01'],
      [[], '00'],
    ] as const)
      expect(alpnOf(...bytes), text).toBe(text)
    expect(ja4(hello({}))?.slice(8, 10)).toBe('00')
  })

  it('counts to 99', () => {
    const ciphers = Array.from({ length: 120 }, (_, n) => n)
    expect(ja4(hello({ ciphers }))?.slice(4, 8)).toBe('9900')
  })
})

it('bytes that are no hello, or a part of one, have a fingerprint of the same form or none', () => {
  const FORM = /^t(?:1[0-3]|s[23]|00)[di]\d{4}[\x21-\x7e]{2}_[0-9a-f]{12}_[0-9a-f]{12}$/
  const whole = messageOf(hellos[0]?.hello ?? '')
  for (let length = 0; length < whole.length; length++) {
    const found = ja4(whole.subarray(0, length))
    if (found !== undefined) expect(found).toMatch(FORM)
  }
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.uint8Array({ maxLength: 60 }), (at, bytes) => {
      const changed = Buffer.from(whole)
      changed.set(bytes.subarray(0, whole.length - at), at)
      for (const given of [changed, Buffer.from(bytes)])
        expect(ja4(given) ?? 't12i000000_000000000000_000000000000').toMatch(FORM)
    }),
  )
})
