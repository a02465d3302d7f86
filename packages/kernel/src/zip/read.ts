// Reads a ZIP archive that a stranger may have made: nothing is unpacked here, and every length is checked against the bytes.
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { UnusableFile } from '../unusable-file.ts'
import type { LocalHeader, ZipEntry } from './entry.ts'

export interface ZipLimits {
  readonly entries: number
  /** Of all entries together, once unpacked. */
  readonly unpackedBytes: number
  /** Of the unpacked bytes to the packed ones, over all entries. */
  readonly ratio: number
}

const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30
/** The growth hint of an Office document (ECMA-376, part 2, annex on ZIP): other fields tell of lengths or owners. */
const GROWTH_HINT = 0xa220
const ENCRYPTED = 1 | (1 << 6)
const broken = (): UnusableFile => new UnusableFile('must be a ZIP archive that is whole')

/** The entries, in the order of the directory; throws `UnusableFile`. */
export function readZip(bytes: Buffer, limits: ZipLimits): ZipEntry[] {
  const end = endOf(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > limits.entries)
    throw new UnusableFile(`must be an archive of at most ${limits.entries} entries, not ${count}`)
  const directory = bytes.readUInt32LE(end + 16)
  const found: { readonly entry: ZipEntry; readonly from: number; readonly to: number }[] = []
  for (let n = 0, at = directory; n < count; n++) {
    if (at + CENTRAL_BYTES > end || bytes.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw broken()
    found.push(readEntry(bytes, at, directory))
    at += CENTRAL_BYTES + [28, 30, 32].reduce((sum, field) => sum + bytes.readUInt16LE(at + field), 0)
  }
  const inOrder = found.toSorted((a, b) => a.from - b.from)
  if (inOrder.some(({ from }, n) => from < (inOrder[n - 1]?.to ?? 0)))
    throw new UnusableFile('must be an archive whose entries do not overlap')
  const entries = found.map(({ entry }) => entry)
  if (new Set(entries.map(({ name }) => name.toLowerCase())).size < entries.length)
    throw new UnusableFile('must be an archive whose entries have distinct names')
  checkSizes(entries, limits)
  return entries
}

/** The end record is at the end of the file; only a comment may follow it. */
function endOf(bytes: Buffer): number {
  // `lastIndexOf` takes a negative place for one from the end.
  const last = Math.max(0, bytes.length - END_BYTES)
  const at = bytes.lastIndexOf('PK\x05\x06', last, 'latin1')
  if (at < 0 || at + END_BYTES > bytes.length || at < bytes.length - END_BYTES - MAX_COMMENT_BYTES)
    throw broken()
  return at
}

function readEntry(bytes: Buffer, at: number, directory: number) {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const packedSize = bytes.readUInt32LE(at + 20)
  const nameAt = at + CENTRAL_BYTES
  const name = bytes.toString('utf8', nameAt, nameAt + bytes.readUInt16LE(at + 28))
  const from = bytes.readUInt32LE(at + 42)
  if ((flags & ENCRYPTED) !== 0) throw new UnusableFile('must be an archive that is not encrypted')
  if (method !== 0 && method !== 8)
    throw new UnusableFile(`must be an archive whose entries are stored or deflated, not by method ${method}`)
  if (from + LOCAL_BYTES > directory || bytes.toString('latin1', from, from + 4) !== 'PK\x03\x04')
    throw broken()
  const extraAt = from + LOCAL_BYTES + bytes.readUInt16LE(from + 26)
  const dataAt = extraAt + bytes.readUInt16LE(from + 28)
  const to = dataAt + packedSize
  if (to > directory) throw broken()
  const entry: ZipEntry = {
    name,
    method,
    flags,
    modifiedAt: bytes.readUInt32LE(at + 12),
    crc: bytes.readUInt32LE(at + 16),
    size: bytes.readUInt32LE(at + 24),
    packed: bytes.subarray(dataAt, to),
    madeBy: bytes.readUInt16LE(at + 4),
    extra: growthHint(bytes.subarray(extraAt, dataAt)),
    attributes: bytes.readUInt32LE(at + 38),
    local: localHeader(bytes, from),
  }
  return { entry, from, to }
}

const localHeader = (bytes: Buffer, from: number): LocalHeader => ({
  name: bytes.toString('utf8', from + LOCAL_BYTES, from + LOCAL_BYTES + bytes.readUInt16LE(from + 26)),
  flags: bytes.readUInt16LE(from + 6),
  method: bytes.readUInt16LE(from + 8),
  crc: bytes.readUInt32LE(from + 14),
  packedSize: bytes.readUInt32LE(from + 18),
  size: bytes.readUInt32LE(from + 22),
})

const growthHint = (extra: Buffer): Buffer =>
  extra.length >= 4 && extra.readUInt16LE() === GROWTH_HINT && extra.readUInt16LE(2) + 4 === extra.length
    ? extra
    : extra.subarray(0, 0)

function checkSizes(entries: readonly ZipEntry[], { unpackedBytes, ratio }: ZipLimits): void {
  const size = entries.reduce((sum, entry) => sum + entry.size, 0)
  const packed = entries.reduce((sum, entry) => sum + entry.packed.byteLength, 0)
  if (size > unpackedBytes)
    throw new UnusableFile(`must be an archive of at most ${unpackedBytes} bytes once unpacked, not ${size}`)
  if (size > ratio * packed)
    throw new UnusableFile(`must be an archive that is compressed at most ${ratio} times`)
}

/** The bytes of an entry; throws `UnusableFile` for more than `maxBytes`, and for bytes that are not what the directory says. */
export function unpack({ name, method, size, crc, packed }: ZipEntry, maxBytes: number): Buffer {
  if (size > maxBytes)
    throw new UnusableFile(`must be an archive whose ${name} has at most ${maxBytes} bytes, not ${size}`)
  const bytes = method === 0 ? Buffer.from(packed) : inflate(name, packed, size)
  if (bytes.byteLength !== size || crc32(bytes) !== crc) throw differs(name)
  return bytes
}

const differs = (name: string): UnusableFile =>
  new UnusableFile(`must be an archive whose ${name} has the size and the checksum that its directory says`)

function inflate(name: string, packed: Uint8Array, size: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) })
  } catch (error) {
    throw new UnusableFile(differs(name).message, { cause: error })
  }
}

/** Unpacks each entry, piece by piece, without keeping it: throws `UnusableFile` for one that is not what the directory says. */
export async function verifyZip(entries: readonly ZipEntry[]): Promise<void> {
  for (const { name, method, packed, size, crc } of entries) {
    let [length, checksum] = [0, 0]
    try {
      for await (const piece of method === 0 ? [packed] : inflated(packed)) {
        length += piece.byteLength
        if (length > size) break
        checksum = crc32(piece, checksum)
      }
    } catch (error) {
      throw new UnusableFile(differs(name).message, { cause: error })
    }
    if (length !== size || checksum !== crc) throw differs(name)
  }
}

function inflated(packed: Uint8Array): AsyncIterable<Buffer> {
  const stream = createInflateRaw({ chunkSize: 64 * 1024 })
  stream.end(packed)
  return stream as AsyncIterable<Buffer>
}
