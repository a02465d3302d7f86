import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyPair } from '../../../../../lab/ssh/decapsulate.ts'
import { CIPHERTEXT_BYTES, encapsulate, PUBLIC_KEY_BYTES, RANDOM_BYTES } from './encapsulate.ts'
import { listCode } from './list-code.ts'
import { P, Q, randomShort, WEIGHT } from './ring.ts'

test('any list of coefficients decodes from its bytes, in the sizes of the specification', () => {
  for (const [bound, size] of [
    [Q, 1158],
    [(Q - 1) / 3 + 1, 1007],
  ] as const) {
    const { encode, decode } = listCode(P, bound)
    fc.assert(
      fc.property(fc.array(fc.nat(bound - 1), { minLength: P, maxLength: P }), (values) => {
        const bytes = encode(values)
        expect(bytes).toHaveLength(size)
        expect([...decode(bytes)]).toEqual(values)
      }),
      { numRuns: 20 },
    )
  }
})

test('a short polynomial has exactly 286 signs', () => {
  const short = randomShort(randomBytes(RANDOM_BYTES))
  expect(short).toHaveLength(P)
  expect(short.filter((value) => value !== 0)).toHaveLength(WEIGHT)
})

test('the private key opens the ciphertext, unless it was changed', () => {
  const { publicKey, decapsulate } = keyPair('a seed')
  expect(publicKey).toHaveLength(PUBLIC_KEY_BYTES)
  for (let i = 0; i < 5; i += 1) {
    const { ciphertext, secret } = encapsulate(publicKey, randomBytes(RANDOM_BYTES))
    expect(ciphertext).toHaveLength(CIPHERTEXT_BYTES)
    expect(decapsulate(ciphertext)).toEqual(secret)
    ciphertext[500]! ^= 1
    expect(decapsulate(ciphertext)).toBeUndefined()
  }
})

test('any public key of the right length gets a ciphertext', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: PUBLIC_KEY_BYTES, maxLength: PUBLIC_KEY_BYTES }), (bytes) => {
      expect(encapsulate(Buffer.from(bytes), randomBytes(RANDOM_BYTES)).ciphertext).toHaveLength(
        CIPHERTEXT_BYTES,
      )
    }),
    { numRuns: 20 },
  )
})
