// HTTP/1.1 requests as lighttpd 1.4.69 reads them (header-strict): a head as a whole, with CRLF behind each line.
import type { Decoded, Incomplete } from '../../../../session/session.ts'
import type { BodyProgress, BrokenRequest, Frame, RequestHead, Scheme } from '../../protocol/request.ts'
import { decodeChunk } from '../../protocol/chunks.ts'
import { isHostValid, isSameHost } from './host.ts'
import { readRequestLine, type RequestLine } from './request-line.ts'
import { pathOf } from './target.ts'

/** server.max-request-field-size: of the whole head. */
const MAX_HEAD_BYTES = 8_192
const LF = 10
const CR = 13

/** It never reads the body of a request for a file: here it is read for its event, and no error of it is answered. */
export function decode(
  bytes: Buffer,
  body: BodyProgress,
  _scheme: Scheme,
  hasRequest: boolean,
): Decoded<Frame> | Incomplete {
  if (!body) return decodeHead(bytes, hasRequest)
  if (body.kind === 'chunked') return decodeChunk(bytes, body.left)
  const length = Math.min(body.left, bytes.length)
  return { frame: { bodyPart: bytes.subarray(0, length), isLast: length === body.left }, length }
}

function decodeHead(bytes: Buffer, hasRequest: boolean): Decoded<Frame> {
  const start = hasRequest ? blankLineBytes(bytes) : 0
  if (start === bytes.length) return undefined
  const broken = (refusal: BrokenRequest): Decoded<Frame> => ({ frame: refusal, length: bytes.length })
  if (bytes[start]! < 0x20) return broken({ status: 400, line: '', isLineBroken: true })
  const end = endOfHead(bytes, start)
  const isTooLong = (end ?? bytes.length) - start > MAX_HEAD_BYTES
  if (isTooLong) return broken({ status: 431, line: firstLine(bytes, start), isLineBroken: true })
  if (end === undefined) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', start, end).split('\n').slice(0, -2)
  if (!first.endsWith('\r')) return broken({ status: 400, line: first, isLineBroken: true })
  const line = readRequestLine(first.slice(0, -1))
  if ('status' in line) return broken(line)
  const head = readFields(line, unfolded(lines))
  return typeof head === 'number'
    ? broken({ status: head, line: first.slice(0, -1) })
    : { frame: { head }, length: end }
}

/** A blank line behind an earlier request is skipped, one only. */
const blankLineBytes = (bytes: Buffer): number =>
  bytes[0] === LF ? 1 : bytes[0] === CR && bytes[1] === LF ? 2 : 0

const firstLine = (bytes: Buffer, start: number): string =>
  bytes.toString('latin1', start, start + 4_096).replace(/[\r\n][^]*$/, '')

/** Behind the blank line, whose carriage return may be missing. */
function endOfHead(bytes: Buffer, start: number): number | undefined {
  for (let at = bytes.indexOf(LF, start); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  return undefined
}

/** Lines that begin with a blank continue the one before (RFC 9112, 5.2); the first has none before it. */
function unfolded(lines: readonly string[]): readonly string[] {
  const fields: string[] = []
  for (const line of lines) {
    const last = fields.at(-1)
    if (last !== undefined && /^[ \t]/.test(line) && last.endsWith('\r'))
      fields[fields.length - 1] = `${last.slice(0, -1)}  ${line}`
    else fields.push(line)
  }
  return fields
}

/** A value may have tabs, but no other control characters. */
const FIELD = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):([^\x00-\x08\n-\x1f\x7f]*)\r$/
/** Of these the first counts. */
const FIRST = new Set(['if-none-match', 'range', 'if-range'])
/** These may be repeated, but not changed. */
const SAME = new Set(['if-modified-since', 'content-type'])
/** Of a repeated Connection the last one counts that says so. */
const SAYS_HOW = /(?:^|[\s,])(?:close|keep-alive)(?:[\s,]|$)/i
const MAX_LENGTH = 2n ** 63n - 1n

/** Fields of HTTP/1.1 alone. */
const LATER_FIELDS = new Set(['transfer-encoding', 'upgrade', 'http2-settings'])

/** A number is the status to refuse with. */
function readFields(line: RequestLine, lines: readonly string[]): RequestHead | number {
  const { method, target, version, authority } = line
  const fields = new Map<string, string>(authority === undefined ? [] : [['host', authority]])
  for (const text of lines) {
    const [, name = '', value = ''] = FIELD.exec(text) ?? []
    if (name === '') return 400
    // Empty fields are dropped.
    if (value.trim() === '') continue
    const status = addField(fields, name.toLowerCase(), value.trim(), version)
    if (status !== undefined) return status
  }
  const host = fields.get('host')
  if (host === undefined ? version === '1.1' : !isHostValid(host)) return 400
  const [length, coding] = [fields.get('content-length'), fields.get('transfer-encoding')]
  if (length !== undefined && coding !== undefined) return 400
  const hasBody = coding !== undefined || Number(length ?? 0) > 0
  if (hasBody && (method === 'GET' || method === 'HEAD')) return 400
  if (target !== '*' && method !== 'CONNECT' && pathOf(target) === undefined) return 400
  if (method === 'POST' && length === undefined && coding === undefined) return 411
  const kind = coding !== undefined ? 'chunked' : hasBody ? 'length' : 'none'
  return { method, target, version, headers: fields, body: { kind, length: Number(length ?? 0) } }
}

/** The status to refuse it with; undefined: it is right. */
function addField(
  fields: Map<string, string>,
  name: string,
  value: string,
  version: '1.0' | '1.1',
): number | undefined {
  const known = fields.get(name)
  if (name === 'host' && known !== undefined) return isSameHost(known, value) ? undefined : 400
  if (SAME.has(name) && known !== undefined) return known === value ? undefined : 400
  if (name === 'content-length') {
    if (known !== undefined || !/^\d+$/.test(value) || BigInt(value) > MAX_LENGTH) return 400
  }
  if (version === '1.0' && LATER_FIELDS.has(name)) return 400
  if (name === 'transfer-encoding') {
    if (value.toLowerCase() !== 'chunked') return 501
    fields.set(name, value)
    return undefined
  }
  if (known === undefined || (name === 'connection' && SAYS_HOW.test(value))) fields.set(name, value)
  else if (!FIRST.has(name)) fields.set(name, `${known}, ${value}`)
  return undefined
}
