// The ring of Streamlined NTRU Prime 761: polynomials modulo x^761 − x − 1, coefficients modulo 4591.
export const P = 761
export const Q = 4591
/** Non-zero coefficients of a short polynomial. */
export const WEIGHT = 286

/** The product of any polynomial and a short one (coefficients −1, 0, 1), with coefficients from −2295 to 2295. */
export function timesShort(big: Int16Array, short: Int8Array): Int16Array {
  const sum = new Int32Array(2 * P)
  for (let i = 0; i < P; i += 1) {
    const factor = short[i]
    if (factor === 1) for (let j = 0; j < P; j += 1) sum[i + j]! += big[j]!
    else if (factor === -1) for (let j = 0; j < P; j += 1) sum[i + j]! -= big[j]!
  }
  // x^761 = x + 1
  for (let i = 2 * P - 2; i >= P; i -= 1) {
    sum[i - P]! += sum[i]!
    sum[i - P + 1]! += sum[i]!
  }
  return Int16Array.from(sum.subarray(0, P), centred)
}

/** The number modulo 4591 that is nearest to zero. */
export function centred(value: number): number {
  const remainder = value % Q
  if (remainder > (Q - 1) / 2) return remainder - Q
  return remainder < -(Q - 1) / 2 ? remainder + Q : remainder
}

/** A random short polynomial: 286 random signs, sorted into random places. `random`: 4 bytes a coefficient. */
export function randomShort(random: Buffer): Int8Array {
  const keys = Uint32Array.from({ length: P }, (_, i) => {
    const word = random.readUInt32LE(4 * i)
    return i < WEIGHT ? (word & 0xffff_fffe) >>> 0 : ((word & 0xffff_fffc) | 1) >>> 0
  }).sort()
  return Int8Array.from(keys, (key) => (key & 3) - 1)
}
