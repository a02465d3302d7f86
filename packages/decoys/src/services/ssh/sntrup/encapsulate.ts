// The server's half of the key encapsulation mechanism sntrup761 (NTRU Prime, round 3: "Encap" of Streamlined NTRU Prime).
//
//   ciphertext = Rounded(h · r) (1007 bytes) | confirmation (32 bytes)
import { createHash } from 'node:crypto'
import { decode, encode } from './encode.ts'
import { P, Q, randomShort, timesShort } from './ring.ts'

export const PUBLIC_KEY_BYTES = 1158
export const CIPHERTEXT_BYTES = 1039
export const RANDOM_BYTES = 4 * P

const HALF = (Q - 1) / 2
const COEFFICIENT_BOUNDS = Array.from({ length: P }, () => Q)
const ROUNDED_BOUNDS = Array.from({ length: P }, () => (Q - 1) / 3 + 1)

/** `publicKey`: 1158 bytes; `random`: 3044 bytes. The secret has 32 bytes. */
export function encapsulate(
  publicKey: Buffer,
  random: Buffer,
): { readonly ciphertext: Buffer; readonly secret: Buffer } {
  const short = randomShort(random)
  const h = Int16Array.from(decode(publicKey, COEFFICIENT_BOUNDS), (value) => value - HALF)
  const rounded = encodeRounded(round(timesShort(h, short)))
  const shortHash = prefixedHash(3, encodeShort(short))
  const confirmation = prefixedHash(2, shortHash, prefixedHash(4, publicKey))
  const ciphertext = Buffer.concat([rounded, confirmation])
  return { ciphertext, secret: prefixedHash(1, shortHash, ciphertext) }
}

/** Each coefficient to the nearest multiple of 3. */
function round(polynomial: Int16Array): Int16Array {
  return polynomial.map((value) => 3 * Math.round(value / 3))
}

/** Coefficients: multiples of 3 from −2295 to 2295. */
export const encodeRounded = (polynomial: Int16Array): Buffer =>
  Buffer.from(
    encode(
      Array.from(polynomial, (value) => (value + HALF) / 3),
      ROUNDED_BOUNDS,
    ),
  )

/** Four coefficients a byte, each plus one, the lowest first. */
export function encodeShort(short: Int8Array): Buffer {
  const bytes = Buffer.alloc(Math.ceil(P / 4))
  short.forEach((value, i) => (bytes[i >> 2]! |= (value + 1) << (2 * (i & 3))))
  return bytes
}

/** The first half of SHA-512 over one byte and the parts. */
export function prefixedHash(prefix: number, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha512').update(Buffer.from([prefix]))
  for (const part of parts) hash.update(part)
  return hash.digest().subarray(0, 32)
}
