// Chunks of a body (RFC 9112, 7.1) as nginx 1.22 reads them: part by part, bare line feeds as line ends.
import type { Decoded } from '../../../session/session.ts'
import type { Frame } from './request.ts'

/** `left`: bytes of the chunk that are still to come; 0: its line end; undefined: the next chunk begins. */
export function decodeChunk(bytes: Buffer, left: number | undefined): Decoded<Frame> {
  if (bytes.length === 0) return undefined
  if (left === 0) return decodeLineEnd(bytes)
  if (left !== undefined) return part(bytes, Math.min(left, bytes.length), left)
  const text = bytes.toString('latin1', 0, Math.min(bytes.length, MAX_LINE_BYTES))
  const size = LINE.exec(text)?.[1] ?? ''
  if (size === '' || size.replace(/^0+/, '').length > MAX_DIGITS) return broken(bytes)
  const end = text.indexOf('\n')
  if (end < 0) return bytes.length >= MAX_LINE_BYTES ? broken(bytes) : undefined
  const length = parseInt(size, 16)
  if (length > 0) return { frame: { bodyPart: EMPTY, isLast: false, chunkLeft: length }, length: end + 1 }
  return decodeTrailer(bytes, end + 1)
}

/** Its size and extensions, as far as they are there. */
const LINE = /^([\da-f]+)(?:[;\t ][^\r\n]*)?(?:\r?\n|\r?$)/i
const EMPTY = Buffer.alloc(0)
const MAX_LINE_BYTES = 8_192
const MAX_DIGITS = 15

const broken = (bytes: Buffer): Decoded<Frame> => ({ frame: { status: 400, line: '' }, length: bytes.length })

const part = (bytes: Buffer, length: number, left: number): Decoded<Frame> => ({
  frame: { bodyPart: bytes.subarray(0, length), isLast: false, chunkLeft: left - length },
  length,
})

function decodeLineEnd(bytes: Buffer): Decoded<Frame> {
  const length = bytes[0] === 10 ? 1 : bytes[0] === 13 && bytes[1] === 10 ? 2 : 0
  if (length > 0) return { frame: { bodyPart: EMPTY, isLast: false }, length }
  return bytes[0] === 13 && bytes.length === 1 ? undefined : broken(bytes)
}

/** Lines up to an empty one. */
function decodeTrailer(bytes: Buffer, from: number): Decoded<Frame> | undefined {
  for (let at = from; ;) {
    const end = bytes.indexOf(10, at)
    const line = bytes.toString('latin1', at, end < 0 ? bytes.length : end)
    if (/^\r./s.test(line)) return broken(bytes)
    if (end < 0) return bytes.length > MAX_LINE_BYTES ? broken(bytes) : undefined
    at = end + 1
    if (line === '' || line === '\r') return { frame: { bodyPart: EMPTY, isLast: true }, length: at }
  }
}
