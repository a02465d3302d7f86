// RESP requests: arrays of bulk strings, and inline commands.
//
//   *2 CRLF $4 CRLF ECHO CRLF $2 CRLF hi CRLF        ECHO "hi" CRLF
//
// Words are latin1 texts, one character a byte, so that binary data stays intact.
import type { Decoded, Incomplete } from '../../../../session/session.ts'

/** The words of a command (none for an empty line), or the protocol error that closes the connection. */
export type Request = readonly string[] | { readonly error: string }

const MAX_INLINE_BYTES = 64 * 1024
const MAX_BULK_BYTES = 512 * 1024 * 1024
const MAX_COUNT = 2_147_483_647
/** What a client may send before its password. */
const STRANGER = { words: 10, bytes: 16_384 }
const CR = 13
const LF = 10

/** How far an array that is not whole yet was read: a long one is not read again from its start at every byte. */
export interface ArrayProgress {
  /** Where the next word begins. */
  at: number
  /** Words that are missing. */
  left: number
}

export const newArrayProgress = (): ArrayProgress => ({ at: 0, left: 0 })

/** Reads one request; never throws. Errors are worded as Redis 7.0 words them. `progress` is that of the connection. */
export function decode(
  bytes: Buffer,
  isAuthenticated = true,
  progress = newArrayProgress(),
): Decoded<Request> | Incomplete {
  if (bytes[0] !== 42) return decodeInline(bytes)
  const missing = readOn(bytes, isAuthenticated, progress)
  return progress.left > 0 ? missing : decodeArray(bytes, isAuthenticated, progress)
}

/** What is missing or wrong, unless all words are there. */
function readOn(
  bytes: Buffer,
  isAuthenticated: boolean,
  progress: ArrayProgress,
): Decoded<Request> | Incomplete {
  while (progress.left > 0) {
    const word = readWord(bytes, progress.at, isAuthenticated)
    if (typeof word !== 'number') return word
    progress.at = word + 2
    progress.left -= 1
  }
  return undefined
}

function decodeArray(
  bytes: Buffer,
  isAuthenticated: boolean,
  progress: ArrayProgress,
): Decoded<Request> | Incomplete {
  const end = lineEnd(bytes, 0, CR)
  if (end < 0 || end + 1 >= bytes.length) return tooBig(bytes, 0, 'too big mbulk count string')
  const count = lengthAt(bytes, 1, end)
  if (count === undefined || count > MAX_COUNT) return broken(bytes, 'invalid multibulk length')
  if (!isAuthenticated && count > STRANGER.words) return broken(bytes, 'unauthenticated multibulk length')
  let at = end + 2
  if (count <= 0) return { frame: [], length: at }
  const words: string[] = []
  for (let left = count; left > 0; left -= 1) {
    const end = readWord(bytes, at, isAuthenticated)
    if (typeof end !== 'number') {
      Object.assign(progress, { at, left })
      return end
    }
    words.push(latin1(bytes, lineEnd(bytes, at, CR) + 2, end))
    at = end + 2
  }
  progress.left = 0
  return { frame: words, length: at }
}

/** Where a bulk string ends, before its CRLF; or what is missing or wrong. */
function readWord(
  bytes: Buffer,
  at: number,
  isAuthenticated: boolean,
): number | Decoded<Request> | Incomplete {
  const stop = lineEnd(bytes, at, CR)
  if (stop < 0 || stop + 1 >= bytes.length) return tooBig(bytes, at, 'too big bulk count string')
  if (bytes[at] !== 36) {
    return broken(bytes, `expected '$', got '${String.fromCharCode(bytes[at]!)}'`.replace(/[\r\n]/g, ' '))
  }
  const length = lengthAt(bytes, at + 1, stop)
  if (length === undefined || length < 0 || length > MAX_BULK_BYTES)
    return broken(bytes, 'invalid bulk length')
  if (!isAuthenticated && length > STRANGER.bytes) return broken(bytes, 'unauthenticated bulk length')
  const end = stop + 2 + length
  return end + 2 > bytes.length ? { atLeast: end + 2 } : end
}

/** Short words are read here: a call of Node's decoder takes longer. */
function latin1(bytes: Buffer, from: number, to: number): string {
  if (to - from > 12) return bytes.toString('latin1', from, to)
  let text = ''
  for (let at = from; at < to; at += 1) text += String.fromCharCode(bytes[at]!)
  return text
}

function decodeInline(bytes: Buffer): Decoded<Request> {
  const end = lineEnd(bytes, 0, LF)
  if (end < 0) return tooBig(bytes, 0, 'too big inline request')
  const words = splitWords(bytes.toString('latin1', 0, end > 0 && bytes[end - 1] === CR ? end - 1 : end))
  return words ? { frame: words, length: end + 1 } : broken(bytes, 'unbalanced quotes in request')
}

/** The index of `mark`, or -1. A NUL before it hides it, as from the server's `strchr`. */
function lineEnd(bytes: Buffer, from: number, mark: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === mark) return at
    if (byte === 0) return -1
  }
  return -1
}

const broken = (bytes: Buffer, error: string): Decoded<Request> => ({
  frame: { error },
  length: bytes.length,
})

const tooBig = (bytes: Buffer, from: number, error: string): Decoded<Request> =>
  bytes.length - from > MAX_INLINE_BYTES ? broken(bytes, error) : undefined

/** A decimal that Redis accepts: no plus, no leading zero, below 2⁶³. Otherwise `undefined`. */
function lengthAt(bytes: Buffer, from: number, to: number): number | undefined {
  const digits = to - from
  if (digits === 1) {
    const value = bytes[from]! - 48
    return value >= 0 && value <= 9 ? value : undefined
  }
  if (digits > 20) return undefined
  const text = bytes.toString('latin1', from, to)
  return /^-?[1-9]\d*$/.test(text) && Math.abs(Number(text)) < 2 ** 63 ? Number(text) : undefined
}

const isSpace = (c: string): boolean => c === ' ' || (c >= '\t' && c <= '\r') || c === '\0'
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' }

/** Splits a line at spaces, with quotes as in redis-cli; `undefined` when a quote is not closed. */
function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  for (let at = 0; ;) {
    while (at < line.length && isSpace(line[at]!)) at += 1
    if (at >= line.length) return words
    const word = readInlineWord(line, at)
    if (!word) return undefined
    words.push(word.text)
    at = word.end
  }
}

function readInlineWord(line: string, from: number): { text: string; end: number } | undefined {
  let text = ''
  let quote = ''
  for (let at = from; ; at += 1) {
    const c = line[at]
    if (c === undefined) return quote ? undefined : { text, end: at }
    if (!quote) {
      if (/[ \n\r\t\0]/.test(c)) return { text, end: at }
      if (c === '"' || c === "'") quote = c
      else text += c
    } else if (c === quote) {
      const after = line[at + 1]
      return after === undefined || isSpace(after) ? { text, end: at + 1 } : undefined
    } else if (c === '\\' && quote === "'" && line[at + 1] === "'") {
      text += "'"
      at += 1
    } else if (c === '\\' && quote === '"' && line[at + 1] !== undefined) {
      const hex = /^x([0-9a-f]{2})/i.exec(line.slice(at + 1, at + 4))
      text += hex ? String.fromCharCode(parseInt(hex[1]!, 16)) : (ESCAPES[line[at + 1]!] ?? line[at + 1]!)
      at += hex ? 3 : 1
    } else text += c
  }
}
