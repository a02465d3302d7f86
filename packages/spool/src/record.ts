// One record of a segment file.
//
//   0                4                8
//   +----------------+----------------+--------------------+
//   | length (u32 BE)| CRC-32C (u32)  | JSON, UTF-8        |
//   +----------------+----------------+--------------------+
//
// `length` counts the JSON, the checksum covers it. The first record of a segment is its head: {"first":SEQ}.
import { crc32c } from './crc32c.ts'

export const RECORD_HEADER = 8
/** More than any event has: 16 KiB, each character of which may be escaped, and the envelope. A longer length means damage. */
export const MAX_RECORD_JSON = 48 * 1024

/** Whether a JSON text is too long for a record. */
export const isTooLong = (json: string): boolean =>
  json.length > MAX_RECORD_JSON ||
  (json.length * 3 > MAX_RECORD_JSON && Buffer.byteLength(json) > MAX_RECORD_JSON)

/** Writes the record of a JSON text at `offset` of a buffer that has room for it, and answers where it ends. */
export function writeRecord(json: string, target: Buffer, offset: number): number {
  const start = offset + RECORD_HEADER
  const end = start + target.write(json, start)
  target.writeUInt32BE(end - start, offset)
  target.writeUInt32BE(crc32c(target, start, end), offset + 4)
  return end
}

/** The record at `offset`: its JSON, and where it ends. `short`: the bytes end within it. `damaged`: this is no record. */
export function recordAt(bytes: Buffer, offset: number): { json: string; end: number } | 'short' | 'damaged' {
  const start = offset + RECORD_HEADER
  if (start > bytes.length) return 'short'
  const length = bytes.readUInt32BE(offset)
  if (length === 0 || length > MAX_RECORD_JSON) return 'damaged'
  const end = start + length
  if (end > bytes.length) return 'short'
  if (crc32c(bytes, start, end) !== bytes.readUInt32BE(offset + 4)) return 'damaged'
  return { json: bytes.toString('utf8', start, end), end }
}

const SEQ = /^\{"seq":(\d{1,16}),/
/** The number of an event, from its JSON: its first member. */
export const seqOf = (json: string): number => Number(SEQ.exec(json)?.[1] ?? 0)
