// Records behind the handshake, when the login alone is encrypted: its first packet is, the others follow in clear.
import { HEADER_BYTES, MAX_PACKET_BYTES } from './codec.ts'
import { MIN_LOGIN_BYTES } from './login.ts'

/** RFC 5246, 6.2.1. */
const RECORD_HEADER_BYTES = 5
const CONTENT_TYPES: readonly number[] = [20, 21, 22, 23]
const APPLICATION_DATA = 23
/** Those with less hold no packet of a login: TLS 1.0 sends one of no byte, or of one, before each (CVE-2011-3389). */
const MIN_RECORD_BYTES = HEADER_BYTES + MIN_LOGIN_BYTES
/** RFC 5246, 6.2.3. */
const MAX_RECORD_BYTES = RECORD_HEADER_BYTES + 16_384 + 2_048
const MAX_KEPT_BYTES = 4 * MAX_PACKET_BYTES

/** Hands out one record that may be a login, and the next one when that is decrypted. What is no record goes to OpenSSL, which refuses it. */
export function oneByOne() {
  let waiting = Buffer.alloc(0)
  let isShut = false
  const next = (): Buffer => {
    const length = recordLength(waiting)
    if (length > waiting.length) return Buffer.alloc(0)
    const record = waiting.subarray(0, length)
    waiting = waiting.subarray(length)
    isShut = record[0] === APPLICATION_DATA && length >= MIN_RECORD_BYTES
    return record
  }
  const takeAll = (): Buffer => {
    const all = waiting
    waiting = Buffer.alloc(0)
    return all
  }
  return {
    /** Records that OpenSSL may decrypt now. Without bytes: it has decrypted the last one. */
    take(bytes: Buffer): Buffer {
      waiting = Buffer.concat([waiting, bytes])
      if (waiting.length > MAX_KEPT_BYTES) return takeAll()
      if (bytes.length === 0) isShut = false
      const records: Buffer[] = []
      while (!isShut) {
        const record = next()
        if (record.length === 0) break
        records.push(record)
      }
      return Buffer.concat(records)
    },
    kept: (): Buffer => waiting,
  }
}

export type RecordQueue = ReturnType<typeof oneByOne>

/** Infinity when its header is not whole; all that waits when it is no record. */
function recordLength(bytes: Buffer): number {
  const [type] = bytes
  if (type === undefined) return Infinity
  if (!CONTENT_TYPES.includes(type)) return bytes.length
  if (bytes.length < RECORD_HEADER_BYTES) return Infinity
  const length = RECORD_HEADER_BYTES + bytes.readUInt16BE(3)
  return length > MAX_RECORD_BYTES ? bytes.length : length
}
