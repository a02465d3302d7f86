// HTTP/1.1 requests as nginx 1.22 reads them: it refuses at the first byte that cannot be right, and takes bare line feeds.
import { trimmed, trimmedEnd } from '../../protocol/trimmed.ts'
import type { Decoded, Incomplete } from '../../../../session/session.ts'
import type { BodyPart, BodyProgress, BrokenRequest, Frame, RequestHead } from '../../protocol/request.ts'
import { decodeChunk } from '../../protocol/chunks.ts'
import { headerBuffers, MAX_LINE_BYTES, type HeaderBuffers } from './header-buffers.ts'
import { isHostValid } from './host.ts'
import { readRequestLine, type RequestLine } from './request-line.ts'
import { pathOf } from './target.ts'

export function decode(bytes: Buffer, body: BodyProgress): Decoded<Frame> | Incomplete {
  if (!body) return decodeHead(bytes)
  if (body.kind === 'chunked') return decodeChunk(bytes, body.left)
  const length = Math.min(body.left, bytes.length)
  const part: BodyPart = { bodyPart: bytes.subarray(0, length), isLast: length === body.left }
  return { frame: part, length }
}

const NO_BODY = { kind: 'none', length: 0 } as const

function decodeHead(bytes: Buffer): Decoded<Frame> {
  let start = 0
  while (bytes[start] === 13 || bytes[start] === 10) start += 1
  const read = readRequestLine(bytes.toString('latin1', start, start + MAX_LINE_BYTES))
  const broken = (refusal: BrokenRequest): Decoded<Frame> => ({ frame: refusal, length: bytes.length })
  if (read === 'incomplete') {
    if (bytes.length - start < MAX_LINE_BYTES) return undefined
    return broken({ status: 414, line: bytes.toString('latin1', start, start + 4_096) })
  }
  if ('status' in read) return broken(read)
  const { method, target, version, line } = read
  const isBare = version === '0.9'
  if (pathOf(target) === undefined || !isTargetHostValid(target))
    return broken({ status: 400, line, ...(isBare && { isBare }) })
  const lineEnd = start + read.length
  if (isBare) {
    const head: RequestHead = { method, target, version, headers: new Map(), body: NO_BODY }
    return { frame: { head }, length: bytes.length }
  }
  const buffers = headerBuffers()
  buffers.fits(lineEnd)
  return decodeFields(bytes, lineEnd, read, buffers)
}

const isTargetHostValid = (target: string): boolean => {
  const host = /^[a-z][a-z\d+.-]*:\/\/([^/? ]*)/i.exec(target)?.[1]
  return host === undefined || isHostValid(host)
}

function decodeFields(
  bytes: Buffer,
  from: number,
  line: RequestLine,
  buffers: HeaderBuffers,
): Decoded<Frame> {
  const fields = new Map<string, string>()
  const broken = (status: number): Decoded<Frame> => ({
    frame: { status, line: line.line, headers: fields },
    length: bytes.length,
  })
  for (let at = from; ;) {
    const end = bytes.indexOf(10, at)
    const text = bytes.toString('latin1', at, end < 0 ? bytes.length : end)
    if (!canBeField(text)) return broken(400)
    const isWhole = end >= 0
    if (!(isWhole ? buffers.fits(end + 1 - at) : buffers.holds(text.length))) return broken(494)
    if (!isWhole) return undefined
    at = end + 1
    if (text === '' || text === '\r') return checked(line, fields, at, broken)
    if (!addField(fields, text)) return broken(400)
  }
}

/** A name has no blanks and no colon at its start; a value no NUL, and a carriage return only at its end. */
function canBeField(text: string): boolean {
  if (/^\r./s.test(text)) return false
  const [, name = '', value = ''] = /^([^:\r]*):?(.*)$/s.exec(text)!
  if (/[\x00-\x20\x7f]/.test(name) || (name === '' && text.startsWith(':'))) return false
  if (value.includes('\0')) return false
  return !/\r[^\r]/.test(text)
}

/** Fields that may be there once. */
const UNIQUE = new Set(
  `host if-modified-since if-unmodified-since if-match if-none-match content-length content-range if-range
  transfer-encoding expect authorization`.split(/\s+/),
)
/** Of these the first counts. */
const FIRST = new Set([
  'range',
  'accept-encoding',
  'via',
  'content-type',
  'referer',
  'upgrade',
  'te',
  'user-agent',
])
/** A field with another name is ignored. */
const NAME = /^[A-Za-z\d-]+$/

function addField(fields: Map<string, string>, text: string): boolean {
  const [, name = '', value = ''] = /^([^:\r]*):?(.*)$/s.exec(text)!
  if (!NAME.test(name)) return true
  const key = name.toLowerCase()
  const shown = trimmed(trimmedEnd(value, '\r'), ' ')
  const known = fields.get(key)
  if (known !== undefined && UNIQUE.has(key)) return false
  if (key === 'host' && !isHostValid(shown)) return false
  if (known === undefined) fields.set(key, shown)
  else if (key === 'connection') fields.set(key, /close|keep-alive/i.test(shown) ? shown : known)
  else if (!FIRST.has(key)) fields.set(key, `${known}, ${shown}`)
  return true
}

/** What nginx checks once the head is whole. */
function checked(
  { method, target, version }: RequestLine,
  headers: ReadonlyMap<string, string>,
  length: number,
  broken: (status: number) => Decoded<Frame>,
): Decoded<Frame> {
  if (version === '1.1' && !headers.has('host')) return broken(400)
  const contentLength = headers.get('content-length')
  if (contentLength !== undefined && !/^\d{1,18}$/.test(contentLength)) return broken(400)
  const coding = headers.get('transfer-encoding')
  if (coding !== undefined && version === '1.0') return broken(400)
  const isChunked = coding?.toLowerCase() === 'chunked' && contentLength === undefined
  const bodyLength = Number(contentLength ?? 0)
  const body = isChunked
    ? ({ kind: 'chunked', length: 0 } as const)
    : bodyLength > 0
      ? ({ kind: 'length', length: bodyLength } as const)
      : NO_BODY
  const refusedWith = statusOf(method, coding, contentLength)
  const head = { method, target, version, headers, body }
  return { frame: { head: refusedWith === undefined ? head : { ...head, refusedWith } }, length }
}

/** It refuses these, and drops their body. */
function statusOf(
  method: string,
  coding: string | undefined,
  contentLength: string | undefined,
): number | undefined {
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 501
  if (coding !== undefined && contentLength !== undefined) return 400
  return method === 'CONNECT' || method === 'TRACE' ? 405 : undefined
}
