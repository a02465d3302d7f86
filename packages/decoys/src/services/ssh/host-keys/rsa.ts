// An RSA key of 3,072 bits, ssh-keygen's default, with the signatures rsa-sha2-512, rsa-sha2-256 (RFC 8332) and ssh-rsa.
import { createPrivateKey, sign } from 'node:crypto'
import { EXPONENT } from '../../../own/primes.ts'
import { mpint, string } from '../codec/fields.ts'
import type { HostKey } from './host-key.ts'

const HASHES: Readonly<Record<string, string>> = {
  'rsa-sha2-512': 'sha512',
  'rsa-sha2-256': 'sha256',
  'ssh-rsa': 'sha1',
}

export function rsa(p: bigint, q: bigint): HostKey {
  const n = p * q
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n))
  const numbers = { n, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  const jwk = Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, toBytes(value).toString('base64url')]),
  )
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...jwk } })
  return {
    blob: Buffer.concat([string('ssh-rsa'), mpint(toBytes(EXPONENT)), mpint(toBytes(n))]),
    sign: (algorithm, text) =>
      Buffer.concat([string(algorithm), string(sign(HASHES[algorithm] ?? 'sha512', text, key))]),
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
