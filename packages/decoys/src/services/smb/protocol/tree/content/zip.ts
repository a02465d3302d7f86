// ZIP archives (APPNOTE.TXT 4.3): local entries, a gap, the central directory. Readers find entries by their offset, so that
// the gap may hold whatever makes the file as long as it should be.
import { crc32, deflateRawSync } from 'node:zlib'
import { join, u16, u32, zeros } from '../../../../../windows/fields.ts'
import type { Pieces } from './pieces.ts'

export interface ZipEntry {
  readonly name: string
  readonly content: Buffer
}

const DEFLATE = 8
const NEEDS_VERSION = 20
const UTF8_NAMES = 0x800

/** `modifiedAt`: milliseconds UTC, shown by tools as local time. */
export function zip(entries: readonly ZipEntry[], modifiedAt: number, size: number): Pieces {
  const stamps = dosTime(modifiedAt)
  const packed = entries.map(({ name, content }) => {
    const bytes = deflateRawSync(content)
    const about = join(
      u16(NEEDS_VERSION),
      u16(UTF8_NAMES),
      u16(DEFLATE),
      stamps,
      u32(crc32(content)),
      u32(bytes.length),
      u32(content.length),
      u16(Buffer.byteLength(name)),
      u16(0),
    )
    return { name: Buffer.from(name), about, bytes }
  })
  const locals = packed.map(({ name, about, bytes }) => join(u32(0x04034b50), about, name, bytes))
  const head = join(...locals)
  const directory = join(
    ...packed.map(({ name, about }, i) => {
      const at = locals.slice(0, i).reduce((sum, local) => sum + local.length, 0)
      return join(u32(0x02014b50), u16(NEEDS_VERSION), about, zeros(10), u32(at), name)
    }),
  )
  const gap = Math.max(0, size - head.length - directory.length - END_BYTES)
  const end = join(
    u32(0x06054b50),
    zeros(4),
    u16(entries.length),
    u16(entries.length),
    u32(directory.length),
    u32(head.length + gap),
    u16(0),
  )
  return { head, gap, tail: join(directory, end) }
}

const END_BYTES = 22

/** Time and date of MS-DOS, in two seconds since 1980. */
function dosTime(ms: number): Buffer {
  const at = new Date(Math.max(ms, Date.UTC(1980, 0, 1)))
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return join(u16(time), u16(date))
}
