// The client's half of sntrup761, for tests (NTRU Prime, round 3: "KeyGen" and "Decap").
import { createHash } from 'node:crypto'
import {
  coefficientCode,
  encodeShort,
  prefixedHash,
  roundedCode,
} from '../../src/services/ssh/protocol/sntrup/encapsulate.ts'
import {
  centred,
  P,
  Q,
  randomShort,
  timesShort,
  WEIGHT,
} from '../../src/services/ssh/protocol/sntrup/ring.ts'

const HALF = (Q - 1) / 2

const stream = (label: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(label).digest()

/** The same seed gives the same key pair. */
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
  const publicKey = coefficientCode.encode(h.map((value) => value + HALF))
  const ginv = Int8Array.from(gInverse, (value) => (value === 2 ? -1 : value))

  return {
    publicKey,
    decapsulate(ciphertext: Buffer): Buffer | undefined {
      const c = Int16Array.from(roundedCode.decode(ciphertext.subarray(0, 1007)), (value) => 3 * value - HALF)
      const e = timesShort(c, f).map((value) => centred(3 * value))
      const short = timesShort(
        e.map((value) => value % 3),
        ginv,
      ).map((value) => (((value % 3) + 4) % 3) - 1)
      if (short.filter((value) => value !== 0).length !== WEIGHT) return undefined
      const shortHash = prefixedHash(3, encodeShort(Int8Array.from(short)))
      const confirmation = prefixedHash(2, shortHash, prefixedHash(4, publicKey))
      return confirmation.equals(ciphertext.subarray(1007))
        ? prefixedHash(1, shortHash, ciphertext)
        : undefined
    },
  }
}

/** The inverse modulo x^761 − x − 1 and a prime, by Euclid's extended algorithm; undefined when there is none. */
function inverse(polynomial: readonly number[], modulus: number): number[] | undefined {
  const mod = (value: number): number => ((value % modulus) + modulus) % modulus
  const zeros = (length: number): number[] => Array.from({ length }, () => 0)
  const field = zeros(P + 1)
  ;[field[0], field[1], field[P]] = [mod(-1), mod(-1), 1]
  // Each row: a remainder, and its factor of the polynomial.
  let upper = { remainder: field, factor: zeros(2 * P) }
  let lower = { remainder: [...polynomial.map(mod), 0], factor: [1, ...zeros(2 * P - 1)] }
  while (degree(lower.remainder) > 0) {
    const lead = inverseModulo(lower.remainder[degree(lower.remainder)]!, modulus)
    while (degree(upper.remainder) >= degree(lower.remainder)) {
      const shift = degree(upper.remainder) - degree(lower.remainder)
      const quotient = mod(upper.remainder[degree(upper.remainder)]! * lead)
      subtractShifted(upper.remainder, lower.remainder, quotient, shift, mod)
      subtractShifted(upper.factor, lower.factor, quotient, shift, mod)
    }
    ;[upper, lower] = [lower, upper]
  }
  if (degree(lower.remainder) < 0) return undefined
  const unit = inverseModulo(lower.remainder[0]!, modulus)
  return lower.factor.slice(0, P).map((value) => mod(value * unit))
}

const degree = (polynomial: readonly number[]): number => polynomial.findLastIndex((value) => value !== 0)

/** target ← target − quotient · x^shift · source */
function subtractShifted(
  target: number[],
  source: readonly number[],
  quotient: number,
  shift: number,
  mod: (value: number) => number,
): void {
  source.forEach((value, i) => {
    if (value && i + shift < target.length) target[i + shift] = mod(target[i + shift]! - quotient * value)
  })
}

/** By Fermat: value^(prime − 2). */
function inverseModulo(value: number, prime: number): number {
  let [result, base] = [1, value]
  for (let exponent = prime - 2; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = (result * base) % prime
    base = (base * base) % prime
  }
  return result
}
