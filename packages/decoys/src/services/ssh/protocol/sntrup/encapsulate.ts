// The server's half of the key encapsulation mechanism sntrup761 (NTRU Prime, round 3: "Encap" of Streamlined NTRU Prime).
//
//   ciphertext = Rounded(h · r) (1007 bytes) | confirmation (32 bytes)
import { createHash } from 'node:crypto'
import { listCode } from './list-code.ts'
import { P, Q, randomShort, timesShort } from './ring.ts'

export const PUBLIC_KEY_BYTES = 1158
export const CIPHERTEXT_BYTES = 1039
export const RANDOM_BYTES = 4 * P

const HALF = (Q - 1) / 2
/** Of a public key: coefficients plus 2295. */
export const coefficientCode = listCode(P, Q)
/** Of a rounded polynomial: its coefficients plus 2295, by 3. */
export const roundedCode = listCode(P, (Q - 1) / 3 + 1)

/** `publicKey`: 1158 bytes; `random`: 3044 bytes. The secret has 32 bytes. */
export function encapsulate(
  publicKey: Buffer,
  random: Buffer,
): { readonly ciphertext: Buffer; readonly secret: Buffer } {
  const short = randomShort(random)
  const h = Int16Array.from(coefficientCode.decode(publicKey)).map((value) => value - HALF)
  const rounded = roundedCode.encode(timesShort(h, short).map(roundedIndex))
  const shortHash = prefixedHash(3, encodeShort(short))
  const confirmation = prefixedHash(2, shortHash, prefixedHash(4, publicKey))
  const ciphertext = Buffer.concat([rounded, confirmation])
  return { ciphertext, secret: prefixedHash(1, shortHash, ciphertext) }
}

/** The number in `roundedCode` of the multiple of 3 that is nearest to a coefficient. */
const roundedIndex = (value: number): number => Math.round(value / 3) + HALF / 3

/** Four coefficients a byte, each plus one, the lowest first. */
export function encodeShort(short: Int8Array): Buffer {
  const bytes = Buffer.alloc(Math.ceil(P / 4))
  for (let i = 0; i < P; i += 1) bytes[i >> 2]! |= (short[i]! + 1) << (2 * (i & 3))
  return bytes
}

/** The first half of SHA-512 over one byte and the parts. */
export function prefixedHash(prefix: number, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha512').update(Buffer.from([prefix]))
  for (const part of parts) hash.update(part)
  return hash.digest().subarray(0, 32)
}
