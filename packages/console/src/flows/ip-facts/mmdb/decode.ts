// The data section of a MaxMind DB (MaxMind DB File Format 2.0, "Output Data Section"). It reads what is asked for, and
// skips the rest: a record of a city has its names in eight languages.
import { BrokenDatabase } from './broken-database.ts'
import { openHeaders, TYPE, type DataSection, type Header, type HeaderReader } from './headers.ts'

/** Which values of a map are asked for, by key; those of an array by index. */
export interface Wanted {
  readonly [key: string]: true | Wanted
}

/** A single value stands where a map was asked for, if the database has one there. */
export type Found = string | number | boolean | FoundMap
export interface FoundMap {
  readonly [key: string]: Found
}

const MAX_TEXT_BYTES = 512

/** The map at this place, with what is wanted of it. Throws `BrokenDatabase`, whatever the bytes; its time is bounded. */
export function decodeMap(section: DataSection, at: number, wanted: Wanted): FoundMap {
  const headers = openHeaders(section)
  const record = headers.valueAt(at)
  if (record.type !== TYPE.map) throw new BrokenDatabase('has a record that is no map')
  return entriesOf(headers, record, wanted)
}

function entriesOf(headers: HeaderReader, { type, size, at }: Header, wanted: Wanted): FoundMap {
  const found: Record<string, Found> = {}
  let missing = Object.keys(wanted).length
  let next = at
  for (let index = 0; index < size && missing > 0; index++) {
    const key = type === TYPE.map ? keyAt(headers, next) : String(index)
    const value = type === TYPE.map ? headers.skip(next) : next
    const below = Object.hasOwn(wanted, key) ? wanted[key] : undefined
    if (below !== undefined) {
      missing--
      const read = readValue(headers, headers.valueAt(value), below)
      if (read !== undefined) found[key] = read
    }
    next = headers.skip(value)
  }
  return found
}

function keyAt(headers: HeaderReader, at: number): string {
  const key = headers.valueAt(at)
  if (key.type !== TYPE.text) throw new BrokenDatabase('has a map with a key that is no text')
  return textOf(headers, key)
}

const textOf = ({ bytes }: HeaderReader, { size, at }: Header): string =>
  bytes(at, Math.min(size, MAX_TEXT_BYTES)).toString('utf8')

function readValue(headers: HeaderReader, value: Header, wanted: true | Wanted): Found | undefined {
  const isNested = value.type === TYPE.map || value.type === TYPE.array
  if (!isNested) return scalarOf(headers, value)
  return wanted === true ? undefined : entriesOf(headers, value, wanted)
}

/** Undefined for bytes, and for integers that a number does not hold exactly. */
function scalarOf(headers: HeaderReader, header: Header): Found | undefined {
  const { type, size, at } = header
  if (type === TYPE.text) return textOf(headers, header)
  if (type === TYPE.boolean) return size !== 0
  if (type === TYPE.double && size === 8) return headers.bytes(at, size).readDoubleBE()
  if (type === TYPE.float && size === 4) return headers.bytes(at, size).readFloatBE()
  if (type === TYPE.int32 && size === 4) return headers.bytes(at, size).readInt32BE()
  const isInteger = [TYPE.uint16, TYPE.uint32, TYPE.uint64, TYPE.uint128, TYPE.int32].includes(type)
  if (!isInteger || size > 6) return undefined
  return size === 0 ? 0 : headers.bytes(at, size).readUIntBE(0, size)
}
