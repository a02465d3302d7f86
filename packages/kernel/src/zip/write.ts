// Writes a ZIP archive: each entry as it is compressed, in the given order.
import type { ZipEntry } from './entry.ts'

/** 2.0: folders and deflate. */
const VERSION = 20
const UTF8_NAME = 1 << 11
/** Lengths and checksum always stand in front of the bytes: bit 3 goes. */
const DEFLATE_LEVEL = 6
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22

export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Uint8Array[] = []
  const centrals: Uint8Array[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    locals.push(localHeader(entry, name), name, entry.extra, entry.packed)
    centrals.push(centralHeader(entry, name, offset), name)
    offset += LOCAL_BYTES + name.byteLength + entry.extra.byteLength + entry.packed.byteLength
  }
  const central = Buffer.concat(centrals)
  return Buffer.concat([...locals, central, end(entries.length, central.byteLength, offset)])
}

/** From the version to the length of the name: the same in both headers. */
function common({ flags, method, modifiedAt, crc, packed, size }: ZipEntry, name: Buffer): Buffer {
  const isAscii = name.every((byte) => byte < 0x80)
  const bytes = Buffer.alloc(24)
  bytes.writeUInt16LE(VERSION, 0)
  bytes.writeUInt16LE((flags & (DEFLATE_LEVEL | UTF8_NAME)) | (isAscii ? 0 : UTF8_NAME), 2)
  bytes.writeUInt16LE(method, 4)
  bytes.writeUInt32LE(modifiedAt, 6)
  bytes.writeUInt32LE(crc, 10)
  bytes.writeUInt32LE(packed.byteLength, 14)
  bytes.writeUInt32LE(size, 18)
  bytes.writeUInt16LE(name.byteLength, 22)
  return bytes
}

/**
 *   0 "PK\3\4"   4 version … name length   28 extra length   30 name, extra, data
 */
function localHeader(entry: ZipEntry, name: Buffer): Buffer {
  const bytes = Buffer.alloc(LOCAL_BYTES)
  bytes.write('PK\x03\x04', 'latin1')
  common(entry, name).copy(bytes, 4)
  bytes.writeUInt16LE(entry.extra.byteLength, 28)
  return bytes
}

/**
 *   0 "PK\1\2"   4 version made by   6 version … name length   30 extra, comment, disk, internal attributes
 *   38 external attributes   42 offset of the local header   46 name
 */
function centralHeader(entry: ZipEntry, name: Buffer, offset: number): Buffer {
  const bytes = Buffer.alloc(CENTRAL_BYTES)
  bytes.write('PK\x01\x02', 'latin1')
  bytes.writeUInt16LE(entry.madeBy, 4)
  common(entry, name).copy(bytes, 6)
  bytes.writeUInt32LE(entry.attributes, 38)
  bytes.writeUInt32LE(offset, 42)
  return bytes
}

/**
 *   0 "PK\5\6"   4 disks   8 entries here   10 entries   12 bytes of the directory   16 its offset   20 comment length
 */
function end(count: number, centralBytes: number, offset: number): Buffer {
  const bytes = Buffer.alloc(END_BYTES)
  bytes.write('PK\x05\x06', 'latin1')
  bytes.writeUInt16LE(count, 8)
  bytes.writeUInt16LE(count, 10)
  bytes.writeUInt32LE(centralBytes, 12)
  bytes.writeUInt32LE(offset, 16)
  return bytes
}
