import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poly1305 } from './poly1305.ts'

test('the tag of RFC 8439, 2.5.2', () => {
  const key = Buffer.from('85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b', 'hex')
  const tag = poly1305(key, Buffer.from('Cryptographic Forum Research Group'))
  expect(tag.toString('hex')).toBe('a8061dc1305136c6c22b8baf0c0127a9')
})

test('numbers near the modulus are reduced', () => {
  const key = Buffer.alloc(32)
  key[0] = 2
  // RFC 8439, A.3, test vectors 7 and 9: 2^130 − 1 and 2^130 − 6, times r.
  expect(poly1305(key, Buffer.alloc(16, 0xff)).toString('hex')).toBe('03000000000000000000000000000000')
  const message = Buffer.from(`fd${'ff'.repeat(15)}`, 'hex')
  expect(poly1305(key, message).toString('hex')).toBe(`fa${'ff'.repeat(15)}`)
})

test('the tag is the one inside ChaCha20-Poly1305 (RFC 8439, 2.8) for any key and length', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.uint8Array({ maxLength: 300 }),
      (keyBytes, aad) => {
        const key = Buffer.from(keyBytes)
        const aead = createCipheriv('chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: 16 })
        aead.setAAD(aad, { plaintextLength: 0 })
        aead.final()
        const oneTimeKey = createCipheriv('chacha20', key, Buffer.alloc(16)).update(Buffer.alloc(32))
        const padded = Buffer.alloc(Math.ceil(aad.length / 16) * 16)
        padded.set(aad)
        const lengths = Buffer.alloc(16)
        lengths.writeUInt32LE(aad.length)
        expect(poly1305(oneTimeKey, Buffer.concat([padded, lengths]))).toEqual(aead.getAuthTag())
      },
    ),
  )
})
