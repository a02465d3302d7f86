// The client's half of sntrup761, for tests: keys and decapsulation (NTRU Prime, round 3: "KeyGen" and "Decap").
import { createHash } from 'node:crypto'
import { encodeShort, prefixed } from '../sntrup/encapsulate.ts'
import { decode, encode } from '../sntrup/encode.ts'
import { centred, P, Q, randomShort, timesShort, WEIGHT } from '../sntrup/ring.ts'

const HALF = (Q - 1) / 2
const BOUNDS = Array.from({ length: P }, () => Q)
const ROUNDED = Array.from({ length: P }, () => (Q - 1) / 3 + 1)

const stream = (label: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(label).digest()

/** `seed` decides the key. */
export function keyPair(seed: string) {
  const f = randomShort(stream(`${seed}/f`, 4 * P))
  let g = new Int8Array(P)
  let gInverse: number[] | undefined
  for (let attempt = 0; !gInverse; attempt += 1) {
    g = Int8Array.from(stream(`${seed}/g/${attempt}`, P), (byte) => (byte % 3) - 1)
    gInverse = inverse(Array.from(g), 3)
  }
  const fInverse = inverse(
    Array.from(f, (value) => 3 * value),
    Q,
  )!
  const h = timesShort(Int16Array.from(fInverse, centred), g)
  const publicKey = Buffer.from(
    encode(
      Array.from(h, (value) => value + HALF),
      BOUNDS,
    ),
  )
  const ginv = Int8Array.from(gInverse, (value) => (value === 2 ? -1 : value))

  return {
    publicKey,
    decapsulate(ciphertext: Buffer): Buffer | undefined {
      const c = Int16Array.from(decode(ciphertext.subarray(0, 1007), ROUNDED), (value) => 3 * value - HALF)
      const e = timesShort(c, f).map((value) => centred(3 * value))
      const short = timesShort(
        e.map((value) => value % 3),
        ginv,
      ).map((value) => (((value % 3) + 4) % 3) - 1)
      if (short.filter((value) => value !== 0).length !== WEIGHT) return undefined
      const inner = prefixed(3, encodeShort(Int8Array.from(short)))
      const confirmation = prefixed(2, inner, prefixed(4, publicKey))
      return confirmation.equals(ciphertext.subarray(1007)) ? prefixed(1, inner, ciphertext) : undefined
    },
  }
}

/** The inverse modulo x^761 − x − 1 over the integers modulo a prime, by Euclid; undefined when there is none. */
function inverse(polynomial: readonly number[], modulus: number): number[] | undefined {
  const mod = (value: number): number => ((value % modulus) + modulus) % modulus
  const scalar = (value: number): number => {
    let [result, base, exponent] = [1, value, modulus - 2]
    for (; exponent > 0; exponent >>= 1) {
      if (exponent & 1) result = (result * base) % modulus
      base = (base * base) % modulus
    }
    return result
  }
  const degree = (a: readonly number[]): number => a.findLastIndex((value) => value !== 0)
  const field: number[] = Array.from({ length: P + 1 }, () => 0)
  ;[field[0], field[1], field[P]] = [mod(-1), mod(-1), 1]
  let [a, b] = [field, [...polynomial.map(mod), 0]]
  let [x, y]: [number[], number[]] = [
    Array.from({ length: 2 * P }, () => 0),
    Array.from({ length: 2 * P }, (_, i) => (i === 0 ? 1 : 0)),
  ]
  while (degree(b) > 0) {
    const lead = scalar(b[degree(b)]!)
    while (degree(a) >= degree(b)) {
      const shift = degree(a) - degree(b)
      const factor = mod(a[degree(a)]! * lead)
      for (let i = degree(b); i >= 0; i -= 1) a[i + shift] = mod(a[i + shift]! - factor * b[i]!)
      for (let i = 0; i + shift < 2 * P; i += 1) if (y[i]) x[i + shift] = mod(x[i + shift]! - factor * y[i]!)
    }
    ;[a, b, x, y] = [b, a, y, x]
  }
  if (degree(b) < 0) return undefined
  const unit = scalar(b[0]!)
  return y.slice(0, P).map((value) => mod(value * unit))
}
