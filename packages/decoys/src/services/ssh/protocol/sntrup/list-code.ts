// Lists of small numbers as bytes, all below one bound (NTRU Prime, round 3 submission, "Encode" and "Decode").
// Pairs merge into bigger numbers whose low bytes are written, level by level, until one number is left.

/** Merged numbers are reduced below it by writing out low bytes. */
const LIMIT = 16384

/** The numbers before they merge: below `bound`, the last one below `lastBound`. */
interface Level {
  readonly count: number
  readonly bound: number
  readonly lastBound: number
}

/** The code of lists of `count` numbers below `bound`. */
export function listCode(count: number, bound: number) {
  const levels = levelsOf(count, bound)
  const merging = levels.slice(0, -1)
  const endBound = levels.at(-1)!.lastBound
  const length = merging.reduce((sum, level) => sum + lowBytesOf(level), lowBytes(endBound, 2))

  return {
    /** The bytes of a list of the right length, each number below the bound. */
    encode(values: ArrayLike<number>): Buffer {
      const numbers = Int32Array.from(values)
      const bytes = Buffer.allocUnsafe(length)
      let at = 0
      for (const level of merging) at = merge(numbers, level, bytes, at)
      writeLow(numbers[0]!, length - at, bytes, at)
      return bytes
    },
    /** The inverse. Bytes that no list encodes to still give numbers below the bound. */
    decode(bytes: Uint8Array): Int32Array {
      const numbers = new Int32Array(count)
      let at = length - lowBytes(endBound, 2)
      numbers[0] = readLow(bytes, at, length - at) % endBound
      for (const level of merging.toReversed()) {
        at -= lowBytesOf(level)
        split(numbers, level, bytes, at)
      }
      return numbers
    },
  }
}

function levelsOf(count: number, bound: number, lastBound = bound): Level[] {
  const level = { count, bound, lastBound }
  if (count === 1) return [level]
  const next = levelsOf(
    Math.ceil(count / 2),
    reduced(bound * bound),
    count % 2 === 1 ? lastBound : reduced(bound * lastBound),
  )
  return [level, ...next]
}

/** How many low bytes are written until the bound is below `limit`. */
const lowBytes = (bound: number, limit = LIMIT): number =>
  bound < limit ? 0 : 1 + lowBytes(Math.ceil(bound / 256), limit)

const reduced = (bound: number): number => (bound < LIMIT ? bound : reduced(Math.ceil(bound / 256)))

/** Low bytes of a pair, and of the last pair. */
function pairBytes({ count, bound, lastBound }: Level): readonly [each: number, last: number] {
  const each = lowBytes(bound * bound)
  return [each, count % 2 === 1 ? each : lowBytes(bound * lastBound)]
}

function lowBytesOf(level: Level): number {
  const [each, last] = pairBytes(level)
  return each * ((level.count >> 1) - 1) + last
}

/** Merges the pairs in place, and answers where their low bytes end. */
function merge(numbers: Int32Array, level: Level, bytes: Buffer, from: number): number {
  const { count, bound } = level
  const [each, last] = pairBytes(level)
  const pairs = count >> 1
  let at = from
  for (let i = 0; i < pairs; i += 1) {
    const written = i === pairs - 1 ? last : each
    numbers[i] = writeLow(numbers[2 * i]! + bound * numbers[2 * i + 1]!, written, bytes, at)
    at += written
  }
  if (count % 2 === 1) numbers[pairs] = numbers[count - 1]!
  return at
}

/** The inverse: from the last pair on, so that no number is overwritten before it is split. */
function split(numbers: Int32Array, level: Level, bytes: Uint8Array, from: number): void {
  const { count, bound, lastBound } = level
  const [each, last] = pairBytes(level)
  const pairs = count >> 1
  if (count % 2 === 1) numbers[count - 1] = numbers[pairs]!
  for (let i = pairs - 1; i >= 0; i -= 1) {
    const isLast = i === pairs - 1
    const read = isLast ? last : each
    const number = readLow(bytes, from + i * each, read) + (numbers[i]! << (8 * read))
    numbers[2 * i] = number % bound
    numbers[2 * i + 1] = Math.floor(number / bound) % (isLast && count % 2 === 0 ? lastBound : bound)
  }
}

/** Answers what is left of the number. */
function writeLow(number: number, count: number, bytes: Buffer, at: number): number {
  let rest = number
  for (let i = 0; i < count; i += 1) {
    bytes[at + i] = rest & 0xff
    rest >>= 8
  }
  return rest
}

function readLow(bytes: Uint8Array, at: number, count: number): number {
  let number = 0
  for (let i = 0; i < count; i += 1) number |= bytes[at + i]! << (8 * i)
  return number
}
