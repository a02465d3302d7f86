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

const scratch = Buffer.allocUnsafe(RECORD_HEADER + MAX_RECORD_JSON)

/** The record of a JSON text, in a buffer that the next call overwrites; undefined when it is too long. */
export function encodeRecord(json: string): Buffer | undefined {
  if (
    json.length > MAX_RECORD_JSON ||
    (json.length * 3 > MAX_RECORD_JSON && Buffer.byteLength(json) > MAX_RECORD_JSON)
  ) {
    return undefined
  }
  const end = RECORD_HEADER + scratch.write(json, RECORD_HEADER)
  scratch.writeUInt32BE(end - RECORD_HEADER, 0)
  scratch.writeUInt32BE(crc32c(scratch, RECORD_HEADER, end), 4)
  return scratch.subarray(0, end)
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
