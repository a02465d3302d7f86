// One file of a ZIP archive, still compressed (APPNOTE.TXT 6.3.10, 4.3 and 4.4).
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  /** 0 is stored, 8 is deflated. */
  readonly method: number
  /** Bits 1 and 2: how well it is deflated. Bit 11: the name is UTF-8. */
  readonly flags: number
  /** MS-DOS: the date in the upper half, the time in the lower one. */
  readonly modifiedAt: number
  readonly crc: number
  /** Once unpacked. */
  readonly size: number
  readonly packed: Uint8Array
  /** The lower byte is ten times the version of the format, the upper one the system: 0 is MS-DOS, 3 is Unix. */
  readonly madeBy: number
  /** The extra field behind the name in front of the bytes. */
  readonly extra: Uint8Array
  /** On MS-DOS in the lowest byte: 1 read-only, 2 hidden, 4 system, 16 folder, 32 archive. */
  readonly attributes: number
  /** What its local header says, of an entry that was read: programs differ in which of the two headers they believe. */
  readonly local?: LocalHeader
}

export interface LocalHeader {
  readonly name: string
  readonly method: number
  readonly flags: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
}

/** Midnight of 1980-01-01, which Office writes for each part. */
const DOS_EPOCH = 0x0021_0000
const STORED = 0
const DEFLATED = 8

/** Bits 1 and 2 both: deflated as fast as possible. */
const SUPER_FAST = 6

export interface EntryOptions {
  readonly modifiedAt?: number
  readonly attributes?: number
  readonly madeBy?: number
  readonly flags?: number
  readonly extra?: Uint8Array
}

const NO_EXTRA = Buffer.alloc(0)
const deflated = (bytes: Uint8Array, flags: number): Buffer =>
  deflateRawSync(bytes, { level: (flags & SUPER_FAST) === SUPER_FAST ? 1 : 6 })

/** An entry of these bytes, made on MS-DOS; a name that ends in a slash is a folder. */
export function zipEntry(
  name: string,
  content: Uint8Array | string,
  { modifiedAt = DOS_EPOCH, attributes = 0, madeBy = 20, flags = 0, extra = NO_EXTRA }: EntryOptions = {},
): ZipEntry {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const isEmpty = bytes.byteLength === 0
  return {
    name,
    method: isEmpty ? STORED : DEFLATED,
    flags,
    modifiedAt,
    crc: crc32(bytes),
    size: bytes.byteLength,
    packed: isEmpty ? bytes : deflated(bytes, flags),
    madeBy,
    extra,
    attributes,
  }
}

/** The same entry with other bytes. */
export function withContent(entry: ZipEntry, content: Uint8Array | string): ZipEntry {
  const { method, crc, size, packed } = zipEntry(entry.name, content, entry)
  return { ...entry, method, crc, size, packed }
}

/** A moment as MS-DOS counts it, in the time zone of the moment: years since 1980, and steps of two seconds. */
export function dosTime(moment: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (moment.match(/\d+/g) ?? []).map(
    Number,
  )
  const date = ((year - 1_980) << 9) | (month << 5) | day
  const time = (hour << 11) | (minute << 5) | (second >> 1)
  return date * 0x1_0000 + time
}

/** The inverse, as UTC, since an archive names no zone; a date that there is not counts as the first that there is. */
export function dosMoment(value: number): number {
  const [date, time] = [value >>> 16, value & 0xffff]
  const [year, month, day] = [1_980 + (date >>> 9), ((date >>> 5) & 15) - 1, date & 31]
  if (month < 0 || month > 11 || day === 0) return Date.UTC(1_980, 0, 1)
  return Date.UTC(year, month, day, time >>> 11, (time >>> 5) & 63, (time & 31) * 2)
}
