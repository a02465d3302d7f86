// The ring of Streamlined NTRU Prime 761: polynomials modulo x^761 − x − 1, coefficients modulo 4591.
export const P = 761
export const Q = 4591
/** Non-zero coefficients of a short polynomial. */
export const WEIGHT = 286

/** Coefficients of a polynomial's lower half. */
const HALF = (P + 1) / 2
/** A sum of 286 coefficients is below 2²⁰, so that a double holds one of each half exactly. */
const UPPER = 2 ** 26

/** The product of any polynomial and a short one (coefficients −1, 0, 1), with coefficients from −2295 to 2295. */
export function timesShort(big: Int16Array, short: Int8Array): Int16Array {
  const sums = unpackSums(sumShifted(packHalves(big), short))
  // x^761 = x + 1
  for (let i = 2 * P - 2; i >= P; i -= 1) {
    sums[i - P]! += sums[i]!
    sums[i - P + 1]! += sums[i]!
  }
  const product = new Int16Array(P)
  for (let i = 0; i < P; i += 1) product[i] = centred(sums[i]!)
  return product
}

/** Two coefficients a double: half of the additions. */
function packHalves(big: Int16Array): Float64Array {
  const packed = new Float64Array(HALF)
  for (let i = 0; i < HALF; i += 1) packed[i] = big[i]! + (i + HALF < P ? big[i + HALF]! * UPPER : 0)
  return packed
}

function sumShifted(packed: Float64Array, short: Int8Array): Float64Array {
  const sums = new Float64Array(P + HALF)
  for (let i = 0; i < P; i += 1) {
    const factor = short[i]
    if (factor === 1) for (let j = 0; j < HALF; j += 1) sums[i + j]! += packed[j]!
    else if (factor === -1) for (let j = 0; j < HALF; j += 1) sums[i + j]! -= packed[j]!
  }
  return sums
}

function unpackSums(packed: Float64Array): Int32Array {
  const sums = new Int32Array(P + 2 * HALF)
  for (let i = 0; i < P + HALF; i += 1) {
    const upper = Math.round(packed[i]! / UPPER)
    sums[i]! += packed[i]! - upper * UPPER
    sums[i + HALF]! += upper
  }
  return sums
}

/** The number modulo 4591 that is nearest to zero. */
export function centred(value: number): number {
  const remainder = value % Q
  if (remainder > (Q - 1) / 2) return remainder - Q
  return remainder < -(Q - 1) / 2 ? remainder + Q : remainder
}

/** A random short polynomial: 286 random signs, sorted into random places. `random`: 4 bytes a coefficient. */
export function randomShort(random: Buffer): Int8Array {
  const keys = new Uint32Array(P)
  for (let i = 0; i < P; i += 1) {
    const word = random.readUInt32LE(4 * i)
    keys[i] = i < WEIGHT ? word & 0xffff_fffe : (word & 0xffff_fffc) | 1
  }
  keys.sort()
  const short = new Int8Array(P)
  for (let i = 0; i < P; i += 1) short[i] = (keys[i]! & 3) - 1
  return short
}
