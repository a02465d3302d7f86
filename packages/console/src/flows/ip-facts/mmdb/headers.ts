// What stands in front of each value of the data section of a MaxMind DB ("Data Field Format").
import { BrokenDatabase, type ReadBytes } from './broken-database.ts'

/** Pointers in it count from its start. */
export interface DataSection {
  readonly read: ReadBytes
  readonly start: number
  readonly end: number
}

/**
 *   byte   0                      1 …                2 …
 *         ┌──────────────────────┬─────────────────┬─────────────────────────────┐
 *         │ type 3 bits, size 5  │ type - 7, if    │ 1 to 3 bytes of the size,   │
 *         │                      │ the type was 0  │ where the 5 bits are 29 … 31│
 *         └──────────────────────┴─────────────────┴─────────────────────────────┘
 */
export interface Header {
  readonly type: number
  /** In bytes; of a map or an array, its entries; of a boolean, its value; of a pointer, what it points to. */
  readonly size: number
  /** Where its content begins. */
  readonly at: number
}

export const TYPE = {
  pointer: 1,
  text: 2,
  double: 3,
  uint16: 5,
  uint32: 6,
  map: 7,
  int32: 8,
  uint64: 9,
  uint128: 10,
  array: 11,
  boolean: 14,
  float: 15,
}

const SIZE_BASES = [0, 29, 285, 65_821] as const
const POINTER_BASES = [0, 2_048, 526_336, 0] as const
/** A record of a city has some hundred. */
const MAX_VALUES = 4_096

/** Each of them throws `BrokenDatabase` where there is no such thing. */
export interface HeaderReader {
  bytes(at: number, length: number): Buffer
  /** The header of the value itself where a pointer to it lies; a pointer to a pointer is not allowed. */
  valueAt(at: number): Header
  /** Where the value ends that begins here. */
  skip(at: number): number
}

/** Reads some thousand values, and then throws: a record may lead through the same ones for ever. */
export function openHeaders({ read, start, end }: DataSection): HeaderReader {
  let values = 0

  function bytes(at: number, length: number): Buffer {
    const found = at >= start && at + length <= end ? read(at, length) : undefined
    if (found?.length !== length) throw new BrokenDatabase('has a value that goes beyond its data')
    return found
  }

  function headerAt(at: number): Header {
    if (++values > MAX_VALUES)
      throw new BrokenDatabase(`has a record of more than ${MAX_VALUES} values, or one that has no end`)
    const first = bytes(at, 1).readUInt8()
    if (first >> 5 === TYPE.pointer) return pointerAt(at, first)
    const isExtended = first >> 5 === 0
    const type = isExtended ? 7 + bytes(at + 1, 1).readUInt8() : first >> 5
    const content = at + (isExtended ? 2 : 1)
    const sizeBytes = Math.max(0, (first & 31) - 28)
    if (sizeBytes === 0) return { type, size: first & 31, at: content }
    const size = (SIZE_BASES[sizeBytes] ?? 0) + bytes(content, sizeBytes).readUIntBE(0, sizeBytes)
    return { type, size, at: content + sizeBytes }
  }

  function pointerAt(at: number, first: number): Header {
    const length = ((first >> 3) & 3) + 1
    const low = bytes(at + 1, length).readUIntBE(0, length)
    const high = length === 4 ? 0 : (first & 7) * 2 ** (8 * length)
    return { type: TYPE.pointer, size: high + low + (POINTER_BASES[length - 1] ?? 0), at: at + 1 + length }
  }

  return {
    bytes,
    valueAt(at) {
      const header = headerAt(at)
      if (header.type !== TYPE.pointer) return header
      const value = headerAt(start + header.size)
      if (value.type === TYPE.pointer) throw new BrokenDatabase('has a pointer to a pointer')
      return value
    },
    skip(at) {
      let next = at
      for (let left = 1; left > 0; left--) {
        const { type, size, at: content } = headerAt(next)
        next = content
        if (type === TYPE.map) left += 2 * size
        else if (type === TYPE.array) left += size
        else if (type !== TYPE.pointer && type !== TYPE.boolean) next += size
      }
      return next
    },
  }
}
