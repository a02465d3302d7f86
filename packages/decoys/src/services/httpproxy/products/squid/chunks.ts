// Chunks of a body (RFC 9112, 7.1) as squid 5.7 reads them: CRLF behind each, and extensions that are well-formed.
import type { Decoded } from '../../../../session/session.ts'
import type { BodyProgress } from '../../../http/protocol/request.ts'

export type Chunked = { readonly bodyLeft: BodyProgress } | 'broken-chunk'

const MAX_LINE_BYTES = 8_192
const TOKEN = "[!#$%&'*+\\-.^_`|~\\dA-Za-z]+"
const LINE = new RegExp(
  `^0*([\\da-f]{1,16})(?:[ \\t]*;[ \\t]*${TOKEN}(?:=(?:${TOKEN}|"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f]|\\\\[\\t -~])*"))?)*\\r\\n`,
  'i',
)
const MAX_SIZE = 2n ** 63n - 1n

/** `left`: bytes of the chunk that are still to come; 0: its line end; undefined: the next chunk begins. */
export function decodeChunked(bytes: Buffer, left: number | undefined): Decoded<Chunked> {
  const broken = { frame: 'broken-chunk' as const, length: bytes.length }
  if (bytes.length === 0) return undefined
  if (left === 0) {
    if (bytes[0] !== 13 || (bytes.length > 1 && bytes[1] !== 10)) return broken
    return bytes.length < 2 ? undefined : { frame: { bodyLeft: { kind: 'chunked' } }, length: 2 }
  }
  if (left !== undefined) {
    const length = Math.min(left, bytes.length)
    return { frame: { bodyLeft: { kind: 'chunked', left: left - length } }, length }
  }
  const text = bytes.toString('latin1', 0, MAX_LINE_BYTES)
  const [line, size = ''] = LINE.exec(text) ?? []
  if (line === undefined) return isBegun(text) && text.length < MAX_LINE_BYTES ? undefined : broken
  if (BigInt(`0x${size}`) > MAX_SIZE) return broken
  const next = Number.parseInt(size, 16)
  if (next > 0) return { frame: { bodyLeft: { kind: 'chunked', left: next } }, length: line.length }
  const end = endOfTrailer(bytes, line.length)
  if (end === undefined) return bytes.length > MAX_LINE_BYTES ? broken : undefined
  return { frame: { bodyLeft: undefined }, length: end }
}

/** The line may still become one: a size that is too large cannot. */
function isBegun(text: string): boolean {
  const [, size] = /^([\da-f]+)(?:[ \t]*;[^\r\n]*|[ \t]*)\r?$/i.exec(text) ?? []
  return size !== undefined && BigInt(`0x${size}`) <= MAX_SIZE
}

/** Behind the first empty line. */
function endOfTrailer(bytes: Buffer, from: number): number | undefined {
  for (let at = from; ;) {
    if (bytes[at] === 10) return at + 1
    if (bytes[at] === 13 && bytes[at + 1] === 10) return at + 2
    const end = bytes.indexOf(10, at)
    if (end < 0) return undefined
    at = end + 1
  }
}

/** What is there of a body cannot be one: then squid answers nothing at all. */
export function isBroken(bytes: Buffer): boolean {
  let left: number | undefined
  for (let at = 0; ;) {
    const decoded = decodeChunked(bytes.subarray(at), left)
    if (!decoded) return false
    if (decoded.frame === 'broken-chunk') return true
    const { bodyLeft } = decoded.frame
    if (!bodyLeft) return false
    left = bodyLeft.left
    at += decoded.length
  }
}
