// Guards the drivers: without it, a `Date`, an array or `undefined` would be stored as NULL or as some text.
import type { Value } from './query.ts'

/** The value as it is, or a TypeError that names its place and type. */
export function storable(value: unknown, place: string | number): Value {
  switch (typeof value) {
    case 'string':
    case 'bigint':
      return value
    case 'number':
      if (Number.isFinite(value)) return value
      break
    case 'boolean':
      throw new TypeError(`value ${place} is a boolean: store 0 or 1`)
    default:
      if (value === null || value instanceof Uint8Array) return value as Value
  }
  throw new TypeError(
    `value ${place} cannot be stored: ${Object.prototype.toString.call(value)} ${String(value)}`,
  )
}
