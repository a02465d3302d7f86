import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openBlake2s } from './blake2s.ts'

const NO_KEY = new Uint8Array()

/** The bytes of the self-test (RFC 7693, appendix E). */
function sequence(length: number, seed: number): Uint8Array {
  let a = Math.imul(0xdead4bad, seed)
  let b = 1
  return Uint8Array.from({ length }, () => {
    const sum = (a + b) | 0
    a = b
    b = sum
    return sum >>> 24
  })
}

describe('BLAKE2s', () => {
  it('passes the self-test of RFC 7693: four lengths, six messages, with a key and without', () => {
    const digests = [16, 20, 28, 32].flatMap((length) =>
      [0, 3, 64, 65, 255, 1024].flatMap((size) => {
        const message = sequence(size, size)
        return [NO_KEY, sequence(length, length)].map((key) => openBlake2s(length, key)(message))
      }),
    )
    expect(openBlake2s(32, NO_KEY)(Buffer.concat(digests)).toString('hex')).toBe(
      '6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe',
    )
  })

  it('without a key is the hash that OpenSSL has', () => {
    const hash = openBlake2s(32, NO_KEY)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
        expect(hash(message)).toEqual(createHash('blake2s256').update(message).digest())
      }),
    )
  })

  it('takes another message after one, under the same key', () => {
    const mac = openBlake2s(16, sequence(32, 1))
    const first = mac(sequence(116, 2))
    mac(sequence(70, 3))
    expect(mac(sequence(116, 2))).toEqual(first)
    expect(openBlake2s(16, sequence(32, 4))(sequence(116, 2))).not.toEqual(first)
  })
})
