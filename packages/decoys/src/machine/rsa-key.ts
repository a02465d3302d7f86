// An RSA private key from its two primes.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { EXPONENT } from './primes.ts'

export interface RsaKey {
  readonly privateKey: KeyObject
  /** Big endian. */
  readonly modulus: Buffer
  readonly exponent: Buffer
}

export function rsaKey(p: bigint, q: bigint): RsaKey {
  const n = p * q
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n))
  const numbers = { n, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  const jwk = Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, toBytes(value).toString('base64url')]),
  )
  return {
    privateKey: createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...jwk } }),
    modulus: toBytes(n),
    exponent: toBytes(EXPONENT),
  }
}

function toBytes(value: bigint): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
}

/** value⁻¹ mod modulus, by Euclid's extended algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [modulus, value % modulus]
  let [x, y] = [0n, 1n]
  while (b > 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}
