// Lists of small numbers as bytes, each number below its own bound (NTRU Prime, round 3 submission, "Encode" and "Decode").
// Pairs merge into bigger numbers whose low bytes are written, level by level, until one number is left.

/** Merged numbers are reduced below it by writing out low bytes. */
const LIMIT = 16384

/** `values[i]` in 0 … `bounds[i]` − 1. */
export function encode(values: readonly number[], bounds: readonly number[]): number[] {
  const bytes: number[] = []
  /** Writes low bytes while the bound is at least `limit`; returns what is left of value and bound. */
  const writeLowBytes = (value: number, bound: number, limit: number): [value: number, bound: number] => {
    if (bound < limit) return [value, bound]
    bytes.push(value & 0xff)
    return writeLowBytes(Math.floor(value / 256), Math.ceil(bound / 256), limit)
  }
  const level = (numbers: readonly number[], limits: readonly number[]): void => {
    if (numbers.length <= 1) {
      writeLowBytes(numbers[0] ?? 0, limits[0] ?? 1, 2)
      return
    }
    const merged: number[] = []
    const mergedLimits: number[] = []
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      const pair = numbers[i]! + limits[i]! * numbers[i + 1]!
      const [value, bound] = writeLowBytes(pair, limits[i]! * limits[i + 1]!, LIMIT)
      merged.push(value)
      mergedLimits.push(bound)
    }
    if (numbers.length % 2) {
      merged.push(numbers.at(-1)!)
      mergedLimits.push(limits.at(-1)!)
    }
    level(merged, mergedLimits)
  }
  level(values, bounds)
  return bytes
}

/** Low bytes of a number, and what their weight makes of the rest. */
interface LowBytes {
  readonly value: number
  /** 256 to the power of the bytes read. */
  readonly unit: number
  readonly bound: number
}

/** The inverse. Bytes that no list encodes to still give numbers within their bounds. */
export function decode(bytes: Uint8Array, bounds: readonly number[]): number[] {
  let at = 0
  const readLowBytes = (from: LowBytes, limit: number): LowBytes => {
    const { value, unit, bound } = from
    if (bound < limit) return from
    const next = { value: value + bytes[at]! * unit, unit: unit * 256, bound: Math.ceil(bound / 256) }
    at += 1
    return readLowBytes(next, limit)
  }
  const level = (limits: readonly number[]): number[] => {
    const [only = 1] = limits
    if (limits.length === 1) return [readLowBytes({ value: 0, unit: 1, bound: only }, 2).value % only]
    const pairs: LowBytes[] = []
    for (let i = 0; i + 1 < limits.length; i += 2) {
      pairs.push(readLowBytes({ value: 0, unit: 1, bound: limits[i]! * limits[i + 1]! }, LIMIT))
    }
    const odd = limits.length % 2 ? [limits.at(-1)!] : []
    const high = level([...pairs.map(({ bound }) => bound), ...odd])
    const numbers = pairs.flatMap(({ value, unit }, pair) => {
      const number = value + unit * high[pair]!
      const limit = limits[2 * pair]!
      return [number % limit, Math.floor(number / limit) % limits[2 * pair + 1]!]
    })
    return odd.length ? [...numbers, high.at(-1)!] : numbers
  }
  return level(bounds)
}
