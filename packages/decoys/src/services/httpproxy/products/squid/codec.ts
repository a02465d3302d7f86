// Requests as squid 5.7 reads them (`relaxed_header_parser on`): bytes to heads and bodies.
import type { Decoded } from '../../../../session/session.ts'
import type { BodyProgress } from '../../../http/protocol/request.ts'
import { decodeChunked, isBroken, type Chunked } from './chunks.ts'
import { contentLength, NO_FIELDS, readFields, type Fields } from './fields.ts'
import { MAX_HEAD_BYTES } from './profile.ts'

export interface Head {
  /** In capitals, if squid knows it. */
  readonly method: string
  /** As it was sent, latin1; without a version that squid does not speak. */
  readonly target: string
  /** One digit behind `1.`, as it was sent. */
  readonly version: string
  /** Undefined: they cannot be read. */
  readonly fields: Fields | undefined
  /** The target has characters that none may have. */
  readonly isTargetBroken?: boolean
  /** What came of its body cannot be one. */
  readonly isBodyBroken?: boolean
}

/** One that squid does not speak. */
export const UNKNOWN_VERSION = 'unknown'

/** What cannot be a request: not even method and target are known, or it is too large. */
export type Broken = 'no-request' | 'long-line' | 'long-head'

export type Frame = { readonly head: Head } | { readonly broken: Broken; readonly isHead: boolean } | Chunked

export function decode(bytes: Buffer, body: BodyProgress): Decoded<Frame> {
  if (body?.kind === 'length') {
    const length = Math.min(body.left, bytes.length)
    const left = body.left - length
    return length > 0
      ? { frame: { bodyLeft: left > 0 ? { kind: 'length', left } : undefined }, length }
      : undefined
  }
  return body ? decodeChunked(bytes, body.left) : decodeHead(bytes)
}

const LF = 10
/** RFC 9110's tokens; squid takes 32 characters of a method. */
const METHOD = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,32}(?=[ \t\v\f\r])/
const KNOWN_METHODS = new Set('CONNECT DELETE GET HEAD OPTIONS POST PURGE PUT TRACE'.split(' '))
const BLANKS = /^[ \t\v\f\r]+/
const VERSION = /HTTP\/(\d+)\.(\d+)$/
const NO_TARGET = /[\x00-\x08\x0e-\x1f\x7f]/

function decodeHead(bytes: Buffer): Decoded<Frame> {
  const start = blankLineBytes(bytes)
  const end = bytes.indexOf(LF, start)
  const whole = { length: bytes.length }
  if (end < 0 || end - start > MAX_HEAD_BYTES) return decodePartOfLine(bytes, start)
  const line = readLine(bytes.toString('latin1', start, end))
  if (line === undefined)
    return { frame: { broken: 'no-request', isHead: startsWithHead(bytes, start) }, ...whole }
  const { method, target, version } = line
  if (line.isTargetBroken || version === '0.9' || version === UNKNOWN_VERSION)
    return { frame: { head: { ...line, fields: NO_FIELDS } }, ...whole }
  const headEnd = endOfFields(bytes, end + 1)
  if ((headEnd ?? bytes.length) - start > MAX_HEAD_BYTES)
    return { frame: { broken: 'long-head', isHead: method === 'HEAD' }, ...whole }
  if (headEnd === undefined) return undefined
  const fields = readFields(bytes.toString('latin1', end + 1, headEnd))
  const isChunked = bodyOf({ method, fields })?.kind === 'chunked'
  const isBodyBroken = isChunked && isBroken(bytes.subarray(headEnd))
  return {
    frame: { head: { method, target, version, fields, isBodyBroken } },
    length: isBodyBroken ? bytes.length : headEnd,
  }
}

/** What follows CONNECT is the next request. */
export function bodyOf({ method, fields = NO_FIELDS }: Pick<Head, 'method' | 'fields'>): BodyProgress {
  if (method === 'CONNECT') return undefined
  if (fields.byName.get('transfer-encoding')?.toLowerCase() === 'chunked') return { kind: 'chunked' }
  const left = contentLength(fields.byName.get('content-length') ?? '0') ?? 0
  return left > 0 ? { kind: 'length', left } : undefined
}

function decodePartOfLine(bytes: Buffer, start: number): Decoded<Frame> {
  if (bytes.length - start <= MAX_HEAD_BYTES) return undefined
  const begins = METHOD.test(bytes.toString('latin1', start, start + 40))
  return {
    frame: { broken: begins ? 'long-line' : 'no-request', isHead: startsWithHead(bytes, start) },
    length: bytes.length,
  }
}

const startsWithHead = (bytes: Buffer, start: number): boolean =>
  /^HEAD[\s]/.test(bytes.toString('latin1', start, start + 5))

/** Line feeds, each with a carriage return or without. */
function blankLineBytes(bytes: Buffer): number {
  let at = 0
  while (bytes[at] === LF || (bytes[at] === 13 && bytes[at + 1] === LF)) at += 1
  return at
}

/** Behind the empty line; the first line may be it. */
function endOfFields(bytes: Buffer, from: number): number | undefined {
  for (let at = from; ;) {
    if (bytes[at] === LF) return at + 1
    if (bytes[at] === 13 && bytes[at + 1] === LF) return at + 2
    const end = bytes.indexOf(LF, at)
    if (end < 0) return undefined
    at = end + 1
  }
}

type Line = Pick<Head, 'method' | 'target' | 'version' | 'isTargetBroken'>

/** Undefined: it is no request line. */
function readLine(text: string): Line | undefined {
  const word = METHOD.exec(text)?.[0]
  if (word === undefined) return undefined
  const method = KNOWN_METHODS.has(word.toUpperCase()) ? word.toUpperCase() : word
  const rest = withoutTrailing(text.slice(word.length).replace(BLANKS, ''), '\r')
  const [found, major = '', minor = ''] = VERSION.exec(rest.slice(-MAX_VERSION)) ?? []
  if (found === undefined && method !== 'GET') return undefined
  const before = found === undefined ? rest : rest.slice(0, -found.length)
  const isShort = major !== '0' && major.length === 1 && minor.length === 1
  const target = found !== undefined && isShort ? withoutTrailing(before, ' \t\v\f\r') : before
  if (found !== undefined && isShort && target === before) return undefined
  if (target === '' || NO_TARGET.test(target[0]!)) return undefined
  const isTargetBroken = NO_TARGET.test(target)
  return { method, target, version: versionOf(found), ...(isTargetBroken && { isTargetBroken }) }
}

const MAX_VERSION = 24

const versionOf = (found = 'HTTP/0.9'): string =>
  found === 'HTTP/0.9' ? '0.9' : (/^HTTP\/(1\.\d)$/.exec(found)?.[1] ?? UNKNOWN_VERSION)

function withoutTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1
  return text.slice(0, end)
}
