// Chunked bodies (RFC 9112, 7.1) as Apache reads them: `1a;ext CRLF … CRLF`, and at the end `0 CRLF trailers CRLF`.
import type { Decoded } from '../../../../session/session.ts'
import type { Frame } from '../../protocol/request.ts'
import { isBroken, MAX_LINE_BYTES, parseFields } from './fields.ts'

const EMPTY = Buffer.alloc(0)
const CR = 13
const LF = 10

/** What a line of a chunk may be. */
const LINE = /^(?:[\da-f]+[ \t]{0,10}(?:;[^\x00-\x08\n-\x1f\x7f]*)?)?\r?$/i
/** The largest apr_off_t. */
const MAX_SIZE = 2n ** 63n - 1n

/** `left`: bytes of the chunk that are still to come; 0: its line end; undefined: the next chunk begins. */
export function decodeChunk(bytes: Buffer, left: number | undefined): Decoded<Frame> {
  if (bytes.length === 0) return undefined
  if (left === 0) return decodeLineEnd(bytes)
  if (left === undefined) return decodeLine(bytes)
  const length = Math.min(left, bytes.length)
  return { frame: { bodyPart: bytes.subarray(0, length), isLast: false, chunkLeft: left - length }, length }
}

function decodeLineEnd(bytes: Buffer): Decoded<Frame> {
  // Apache judges whole lines.
  if (!bytes.includes(LF)) return bytes.length > MAX_LINE_BYTES ? refusal(bytes, 400) : undefined
  if (bytes[0] !== CR || bytes[1] !== LF) return refusal(bytes, 400)
  return { frame: { bodyPart: EMPTY, isLast: false }, length: 2 }
}

function decodeLine(bytes: Buffer): Decoded<Frame> {
  const end = bytes.indexOf('\r\n', 0, 'latin1')
  const line = bytes.toString('latin1', 0, end < 0 ? Math.min(bytes.length, MAX_LINE_BYTES) : end)
  if (bytes.includes(LF) && !LINE.test(line)) return refusal(bytes, 400)
  if ((end < 0 ? bytes.length : end + 2) > MAX_LINE_BYTES - 1) return refusal(bytes, 413)
  if (end < 0) return hugeSize(line) ? refusal(bytes, 413) : undefined
  const digits = /^[\da-f]+/i.exec(line)?.[0]
  if (digits === undefined) return refusal(bytes, 400)
  if (hugeSize(digits)) return refusal(bytes, 413)
  const size = Number(`0x${digits}`)
  if (size > 0) return { frame: { bodyPart: EMPTY, isLast: false, chunkLeft: size }, length: end + 2 }
  return decodeTrailers(bytes, end + 2)
}

const hugeSize = (line: string): boolean => BigInt(`0x${/^[\da-f]*/i.exec(line)![0] || '0'}`) > MAX_SIZE

function decodeTrailers(bytes: Buffer, from: number): Decoded<Frame> {
  const last = { bodyPart: EMPTY, isLast: true }
  if (bytes[from] === CR && bytes[from + 1] === LF) return { frame: last, length: from + 2 }
  const end = bytes.indexOf('\r\n\r\n', from, 'latin1')
  const text = bytes.toString('latin1', from, end < 0 ? bytes.length : end)
  if (end < 0 && isBroken(text)) return refusal(bytes, 400, '')
  const flaw = end < 0 ? undefined : parseFields(text)
  if (typeof flaw === 'string') return refusal(bytes, 400, flaw)
  if (end >= 0) return { frame: last, length: end + 4 }
  return text.length > MAX_TRAILER_BYTES ? refusal(bytes, 400, '') : undefined
}

/** As much as a head may have. */
const MAX_TRAILER_BYTES = 64 * 1024

/** `note`, of a trailer: what the page says besides. Its length is known then. */
const refusal = (bytes: Buffer, status: 400 | 413, note?: string): Decoded<Frame> => ({
  frame: { status, line: '', ...(note !== undefined && { hasLength: true, ...(note && { note }) }) },
  length: bytes.length,
})
