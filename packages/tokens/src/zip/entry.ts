// One file of a ZIP archive, still compressed (APPNOTE.TXT 6.3.10, 4.3 and 4.4).
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  /** 0 is stored, 8 is deflated. */
  readonly method: number
  /** Bit 11: the name is UTF-8. */
  readonly flags: number
  /** MS-DOS: the date in the upper half, the time in the lower one. */
  readonly modifiedAt: number
  readonly crc: number
  /** Once unpacked. */
  readonly size: number
  readonly packed: Uint8Array
  /** The upper byte of `version made by`: 0 is MS-DOS, 3 is Unix. */
  readonly system: number
  /** On MS-DOS in the lowest byte: 1 read-only, 2 hidden, 4 system, 16 folder, 32 archive. */
  readonly attributes: number
}

/** Midnight of 1980-01-01, which Office writes for each part. */
const DOS_EPOCH = 0x0021_0000
const STORED = 0
const DEFLATED = 8

interface EntryOptions {
  readonly modifiedAt?: number
  readonly attributes?: number
}

/** An entry of these bytes, made on MS-DOS; a name that ends in a slash is a folder. */
export function zipEntry(
  name: string,
  content: Uint8Array | string,
  { modifiedAt = DOS_EPOCH, attributes = 0 }: EntryOptions = {},
): ZipEntry {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const isEmpty = bytes.byteLength === 0
  return {
    name,
    method: isEmpty ? STORED : DEFLATED,
    flags: 0,
    modifiedAt,
    crc: crc32(bytes),
    size: bytes.byteLength,
    packed: isEmpty ? bytes : deflateRawSync(bytes),
    system: 0,
    attributes,
  }
}

/** The same entry with other bytes. */
export function withContent(entry: ZipEntry, content: Uint8Array | string): ZipEntry {
  const { method, crc, size, packed } = zipEntry(entry.name, content)
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
