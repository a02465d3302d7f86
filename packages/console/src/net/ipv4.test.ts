import { isIPv4 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ipv4Mark, ipv4Search, ipv4Text, ipv4Value } from './ipv4.ts'

const address = fc.integer({ min: 0, max: 2 ** 32 - 1 })

describe('an IPv4 address as a number', () => {
  it('comes back as the text it was', () => {
    fc.assert(fc.property(address, (value) => ipv4Value(ipv4Text(value)) === value))
  })

  it('is none when it is spelt otherwise', () => {
    for (const text of [
      '',
      '1.2.3',
      '1.2.3.',
      '1..3.4',
      '.1.2.3',
      '1.2.3.00',
      '1.2.3.-4',
      '1.2.3.4.',
      '01.2.3.4',
      '1.2.3.256',
      '1.2.3.4.5',
      '::1',
      ' 1.2.3.4',
      '1.2.3.4\n',
    ])
      expect(ipv4Value(text)).toBeUndefined()
  })

  it('is one exactly when the platform says so', () => {
    const octet = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '00', '01', 'a', ' 1', '1e1'))
    const dotted = fc.array(octet, { minLength: 3, maxLength: 5 }).map((octets) => octets.join('.'))
    fc.assert(fc.property(dotted, (text) => (ipv4Value(text) !== undefined) === isIPv4(text)))
  })

  it('contains a text exactly when its spelling does', () => {
    const part = fc.oneof(
      fc.tuple(address, fc.nat(14), fc.nat(14)).map(([value, from, length]) => {
        const text = ipv4Text(value)
        return text.slice(from % text.length, (from % text.length) + 1 + length)
      }),
      fc.string({ unit: fc.constantFrom('0', '1', '2', '5', '.'), minLength: 1, maxLength: 8 }),
      fc.constantFrom('a', '%', '_', '1.1.1.1.1', '255.255.255.2550'),
    )
    fc.assert(
      fc.property(part, fc.array(address, { minLength: 1 }), fc.nat(40), (text, some, neighbours) => {
        const near = Array.from({ length: neighbours }, (_, n) => ((some[0] ?? 0) + n) % 2 ** 32)
        const values = [...some, ...near].sort((a, b) => a - b)
        const search = ipv4Search(text)
        const marks = new Uint8Array(values.length)
        const isAny = search !== undefined && ipv4Mark(search, Uint32Array.from(values), marks, 7)
        const contains = values.map((value) => (ipv4Text(value).includes(text) ? 7 : 0))
        expect([...marks]).toEqual(contains)
        expect(isAny).toBe(contains.includes(7))
      }),
    )
  })
})
