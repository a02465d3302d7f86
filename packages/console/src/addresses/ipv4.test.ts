import { isIPv4 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ipv4Value } from './ipv4.ts'

const spelled = (value: number): string =>
  [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.')

describe('an IPv4 address as a number', () => {
  it('is the number of its four octets', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => ipv4Value(spelled(value)) === value),
    )
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
})
