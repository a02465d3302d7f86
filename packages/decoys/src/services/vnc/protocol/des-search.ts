// Searches many keys for the one by which DES (FIPS 46-3) makes one block of another. The schedules of the keys are made once,
// and the first and last permutation of the blocks once a search: OpenSSL needs 20 µs for each key that it is given.

const ROUNDS = 16
const BOXES = 8
const SCHEDULE_BYTES = ROUNDS * BOXES

/** The eight boxes, row by row, a hexadecimal digit each. */
const SUBSTITUTIONS = [
  'e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d',
  'f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9',
  'a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c',
  '7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e',
  '2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453',
  'c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d',
  '4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c',
  'd2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b',
]
/** Places of bits, from 1 at the left. */
const P = [
  16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22,
  11, 4, 25,
]
const PC1 = [
  57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
  63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
]
const PC2 = [
  14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47,
  55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
]
const SHIFTS = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]
/** The half of a key that is turned. */
const HALF_BITS = 28
const BOX_BITS = 6

/** The index of the key that makes `encrypted` of `block`, 8 bytes each; undefined if there is none. */
export type KeySearch = (block: Buffer, encrypted: Buffer) => number | undefined

export function keySearch(keys: readonly Buffer[]): KeySearch {
  const outputs = boxOutputs()
  const schedules = new Uint8Array(keys.length * SCHEDULE_BYTES)
  for (const [index, key] of keys.entries()) schedules.set(scheduleOf(key), index * SCHEDULE_BYTES)
  return (block, encrypted) => {
    const [left, right] = permuted(block)
    // The halves change places behind the last round.
    const [lastRight, lastLeft] = permuted(encrypted)
    for (let at = 0, index = 0; at < schedules.length; at += SCHEDULE_BYTES, index += 1)
      if (isMade(outputs, schedules, at, left, right, lastLeft, lastRight)) return index
    return undefined
  }
}

function isMade(
  outputs: Int32Array,
  schedules: Uint8Array,
  at: number,
  left: number,
  right: number,
  lastLeft: number,
  lastRight: number,
): boolean {
  let [from, to] = [left, right]
  for (let round = at; round < at + SCHEDULE_BYTES; round += BOXES) {
    let mixed = from
    for (let box = 0; box < BOXES; box += 1) {
      // Six bits around the four of the box, the last and the first bit being neighbours.
      const turn = (4 * box + 31) & 31
      const bits = ((to << turn) | (to >>> (32 - turn))) >>> (32 - BOX_BITS)
      mixed ^= outputs[(box << BOX_BITS) | (bits ^ schedules[round + box]!)]!
    }
    from = to
    to = mixed
  }
  return to === lastRight && from === lastLeft
}

/** What each box makes of six bits, behind the permutation P. */
function boxOutputs(): Int32Array {
  const outputs = new Int32Array(BOXES << BOX_BITS)
  for (const [box, digits] of SUBSTITUTIONS.entries()) {
    for (let bits = 0; bits < 1 << BOX_BITS; bits += 1) {
      const row = ((bits >> 4) & 2) | (bits & 1)
      const value = parseInt(digits[row * 16 + ((bits >> 1) & 15)] ?? '', 16)
      const whole = value << (4 * (BOXES - 1 - box))
      outputs[(box << BOX_BITS) | bits] = P.reduce(
        (made, place, index) => made | (((whole >>> (32 - place)) & 1) << (31 - index)),
        0,
      )
    }
  }
  return outputs
}

const bitsOf = (bytes: Buffer): number[] =>
  [...bytes].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((place) => (byte >> place) & 1))

function scheduleOf(key: Buffer): number[] {
  const bits = bitsOf(key)
  const chosen = PC1.map((place) => bits[place - 1]!)
  let [left, right] = [chosen.slice(0, HALF_BITS), chosen.slice(HALF_BITS)]
  return SHIFTS.flatMap((shift) => {
    left = [...left.slice(shift), ...left.slice(0, shift)]
    right = [...right.slice(shift), ...right.slice(0, shift)]
    const both = [...left, ...right]
    const round = PC2.map((place) => both[place - 1]!)
    return Array.from({ length: BOXES }, (_, box) =>
      round.slice(box * BOX_BITS, (box + 1) * BOX_BITS).reduce((made, bit) => (made << 1) | bit, 0),
    )
  })
}

/** The initial permutation: even bits of the bytes, last byte first, then the odd ones. */
function permuted(block: Buffer): [left: number, right: number] {
  const bits = bitsOf(block)
  const half = (first: number): number => {
    let made = 0
    for (let place = first; place < 8; place += 2)
      for (let byte = 7; byte >= 0; byte -= 1) made = (made << 1) | bits[8 * byte + place]!
    return made
  }
  return [half(1), half(0)]
}
