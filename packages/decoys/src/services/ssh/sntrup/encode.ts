// Lists of small numbers as bytes, each number below its own bound (NTRU Prime, round 3 submission, "Encode" and "Decode"):
// pairs are merged into bigger numbers, whose low bytes are written out, until one is left.
const LIMIT = 16384

/** `values[i]` in 0 … `bounds[i]` − 1. */
export function encode(values: readonly number[], bounds: readonly number[]): number[] {
  const bytes: number[] = []
  let [numbers, limits] = [values, bounds]
  while (numbers.length > 1) {
    const merged: number[] = []
    const mergedLimits: number[] = []
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      let value = numbers[i]! + limits[i]! * numbers[i + 1]!
      let limit = limits[i]! * limits[i + 1]!
      while (limit >= LIMIT) {
        bytes.push(value & 0xff)
        value = Math.floor(value / 256)
        limit = Math.ceil(limit / 256)
      }
      merged.push(value)
      mergedLimits.push(limit)
    }
    if (numbers.length % 2) {
      merged.push(numbers.at(-1)!)
      mergedLimits.push(limits.at(-1)!)
    }
    ;[numbers, limits] = [merged, mergedLimits]
  }
  let [value, limit] = [numbers[0] ?? 0, limits[0] ?? 1]
  while (limit > 1) {
    bytes.push(value & 0xff)
    value >>= 8
    limit = Math.ceil(limit / 256)
  }
  return bytes
}

/** The inverse. Bytes that no list encodes to still give numbers within their bounds. */
export function decode(bytes: Uint8Array, bounds: readonly number[]): number[] {
  let at = 0
  const level = (limits: readonly number[]): number[] => {
    if (limits.length === 1) {
      let [value, limit, unit] = [0, limits[0]!, 1]
      while (limit > 1) {
        value += bytes[at++]! * unit
        unit *= 256
        limit = Math.ceil(limit / 256)
      }
      return [value % limits[0]!]
    }
    const low: { value: number; unit: number }[] = []
    const merged: number[] = []
    for (let i = 0; i + 1 < limits.length; i += 2) {
      let [value, unit, limit] = [0, 1, limits[i]! * limits[i + 1]!]
      while (limit >= LIMIT) {
        value += bytes[at++]! * unit
        unit *= 256
        limit = Math.ceil(limit / 256)
      }
      low.push({ value, unit })
      merged.push(limit)
    }
    if (limits.length % 2) merged.push(limits.at(-1)!)
    const high = level(merged)
    const numbers: number[] = []
    low.forEach(({ value, unit }, pair) => {
      const number = value + unit * high[pair]!
      const limit = limits[2 * pair]!
      numbers.push(number % limit, Math.floor(number / limit) % limits[2 * pair + 1]!)
    })
    if (limits.length % 2) numbers.push(high.at(-1)!)
    return numbers
  }
  return level(bounds)
}
