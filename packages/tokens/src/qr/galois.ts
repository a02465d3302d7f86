// Reed-Solomon over GF(2⁸) with the polynomial x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004, annex A).

const EXPONENTS = new Uint8Array(255)
const LOGARITHMS = new Uint8Array(256)
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  EXPONENTS[exponent] = value
  LOGARITHMS[value] = exponent
  value = value < 128 ? value << 1 : (value << 1) ^ 0x11d
}

const product = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (EXPONENTS[((LOGARITHMS[a] ?? 0) + (LOGARITHMS[b] ?? 0)) % 255] ?? 0)

/** By degree, of which versions 1 to 10 have eight. */
const generators = new Map<number, Uint8Array>()

function generator(degree: number): Uint8Array {
  const coefficients = generators.get(degree) ?? makeGenerator(degree)
  generators.set(degree, coefficients)
  return coefficients
}

/** The coefficients of (x − α⁰)(x − α¹) …, highest power first, without the leading 1. */
function makeGenerator(degree: number): Uint8Array {
  const coefficients = new Uint8Array(degree)
  coefficients[degree - 1] = 1
  for (let power = 0; power < degree; power++) {
    const root = EXPONENTS[power] ?? 0
    for (let at = 0; at < degree; at++)
      coefficients[at] = product(coefficients[at] ?? 0, root) ^ (coefficients[at + 1] ?? 0)
  }
  return coefficients
}

/** The remainder of the codewords: what corrects errors in them. */
export function correction(codewords: Uint8Array, count: number): Uint8Array {
  const divisor = generator(count)
  const rest = new Uint8Array(count)
  for (const codeword of codewords) {
    const factor = codeword ^ rest[0]!
    for (let at = 0; at < count; at++) rest[at] = (rest[at + 1] ?? 0) ^ product(divisor[at]!, factor)
  }
  return rest
}
