// HTTP/1.1 requests (RFC 9112), parsed as strictly as by Apache 2.4: first the head, then the body part by part.
import type { Decoded, Incomplete } from '../../../../session.ts'
import type { BodyProgress, BrokenRequest, Frame, RequestHead, Scheme } from '../../request.ts'

/** Apache's LimitRequestLine and LimitRequestFieldSize are 8190; it takes one byte more. */
const MAX_LINE_BYTES = 8_191
/** Apache's LimitRequestFields. */
const MAX_FIELDS = 100
const MAX_BLANK_LINES = 10
export const MAX_BODY_BYTES = 1024 * 1024

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const FIELD_TOO_LONG = 'Size of a request header field exceeds server limit.'
const TOO_MANY_FIELDS = "The number of request header fields exceeds this server's limit."

export function decode(
  bytes: Buffer,
  body: BodyProgress,
  scheme: Scheme = 'http',
): Decoded<Frame> | Incomplete {
  if (!body) return decodeHead(bytes, scheme)
  if (body.kind === 'chunked') return decodeChunk(bytes)
  const length = Math.min(body.left, bytes.length)
  return { frame: { bodyPart: bytes.subarray(0, length), isLast: length === body.left }, length }
}

function decodeHead(bytes: Buffer, scheme: Scheme): Decoded<Frame> {
  let start = 0
  for (let blankLines = 0; bytes[start] === 13 && bytes[start + 1] === 10; start += 2) {
    if ((blankLines += 1) > MAX_BLANK_LINES) return badRequest(bytes)
  }
  const lineEnd = bytes.indexOf(10, start)
  if (lineEnd < 0)
    return bytes.length - start > MAX_LINE_BYTES
      ? { frame: { status: 414, line: '', isLineBroken: true }, length: bytes.length }
      : undefined
  const line = bytes.toString('latin1', start, bytes[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd)
  if (line.length > MAX_LINE_BYTES)
    return { frame: { status: 414, line: line.slice(0, 4_096), isLineBroken: true }, length: bytes.length }
  const request = parseRequestLine(line)
  const read = { line, scheme }
  if (bytes[lineEnd - 1] !== 13) return badRequest(bytes, { ...read, isLineBroken: true })
  if (!request) return badRequest(bytes, read)
  if (request.version === '0.9')
    return { frame: { head: { ...request, headers: new Map(), body: NO_BODY } }, length: bytes.length }
  const end = bytes.indexOf('\r\n\r\n', lineEnd - 1, 'latin1')
  if (end < 0) return checkPartialHead(bytes, lineEnd + 1, read)
  const fields = parseFields(end < lineEnd ? '' : bytes.toString('latin1', lineEnd + 1, end))
  if (typeof fields === 'string') return badRequest(bytes, { ...read, note: fields })
  const body = bodyOf(fields)
  // RFC 9112, 3.2: of a whole URL, too. Apache asks it of this version alone.
  if (/ HTTP\/1\.1$/.test(line) && !fields.has('host')) return badRequest(bytes, read)
  if (!isHostValid(hostOf(request.target, fields, scheme), request.version)) {
    return badRequest(bytes, { ...read, host: fields.get('host') })
  }
  if (!body) return badRequest(bytes, read)
  return { frame: { head: { ...request, headers: fields, body } }, length: end + 4 }
}

const NO_BODY = { kind: 'none', length: 0 } as const

/** What is known of a request that cannot be parsed. */
interface PartialRead extends Partial<Pick<BrokenRequest, 'line' | 'note' | 'isLineBroken'>> {
  readonly scheme?: Scheme
  readonly host?: string | undefined
}

function badRequest(
  bytes: Buffer,
  { line = '', scheme = 'http', note, host, isLineBroken = false }: PartialRead = {},
): Decoded<Frame> {
  // Of a line without CR Apache has taken nothing.
  const target = isLineBroken ? {} : ownTarget(line, scheme)
  const { name } = target
  const port = name === undefined ? (portOf(host) ?? target.port) : (target.port ?? portOf(host))
  return {
    frame: {
      status: 400,
      line: line.slice(0, 4_096),
      ...(note && { note }),
      ...(name && { name }),
      ...(port && { port }),
      isLineBroken,
    },
    length: bytes.length,
  }
}

/** What a whole URL in the request line says about the server: its name only if the scheme is ours. */
function ownTarget(line: string, own: Scheme): { readonly name?: string; readonly port?: string } {
  if (/^CONNECT \S*:\/\//.test(line)) return { port: '0' }
  const [, scheme = '', name = '', port] = /^\S+ (https?):\/\/([^/: ]*)(?::(\d{1,5}))?/i.exec(line) ?? []
  return { ...(scheme.toLowerCase() === own && { name: name.toLowerCase() }), ...(port && { port }) }
}

/** The port signs the error page even when the name before it is wrong. */
function portOf(authority: string | undefined): string | undefined {
  const port = Number(/^(?:\[.*\]|[^[].*):(\d{1,5})$/.exec(authority ?? '')?.[1] ?? 0)
  return port >= 1 && port <= 65_535 ? String(port) : undefined
}

/** Refuses a head that is already too big, although its end is missing. */
function checkPartialHead(bytes: Buffer, from: number, read: PartialRead): Decoded<Frame> {
  let fields = 0
  for (let at = from; at < bytes.length; fields += 1) {
    const end = bytes.indexOf(10, at)
    if ((end < 0 ? bytes.length : end) - at > MAX_LINE_BYTES)
      return badRequest(bytes, { ...read, note: FIELD_TOO_LONG })
    if (end < 0) break
    at = end + 1
  }
  return fields > MAX_FIELDS ? badRequest(bytes, { ...read, note: TOO_MANY_FIELDS }) : undefined
}

function parseRequestLine(line: string): Pick<RequestHead, 'method' | 'target' | 'version'> | undefined {
  const words = line.split(' ')
  const [method = '', target = '', version] = words
  if (!TOKEN.test(method) || !target || /[\x00-\x20\x7f#]/.test(target)) return undefined
  if (words.length === 2)
    return method === 'GET' && target.startsWith('/') ? { method, target, version: '0.9' } : undefined
  if (words.length !== 3 || !/^HTTP\/[1-9]\.\d$/.test(version!)) return undefined
  const isTarget =
    method === 'CONNECT'
      ? /^[^/]+:\d+$/.test(target)
      : target.startsWith('/') || /^https?:\/\/[^/]/i.test(target) || (target === '*' && method === 'OPTIONS')
  return isTarget ? { method, target, version: version === 'HTTP/1.0' ? '1.0' : '1.1' } : undefined
}

/** The fields; or, as text, the note for the error page on what is wrong (may be empty). */
function parseFields(text: string): Map<string, string> | string {
  const lines = text.split('\r\n')
  // A line is judged when the next one is read.
  const refused = (at: number): string =>
    (lines[at + 1]?.length ?? 0) > MAX_LINE_BYTES ? FIELD_TOO_LONG : ''
  const fields = new Map<string, string>()
  if (!text) return fields
  let count = 0
  let last = ''
  for (const [at, line] of lines.entries()) {
    if (line.length > MAX_LINE_BYTES) return FIELD_TOO_LONG
    if (/[\x00-\x08\n-\x1f\x7f]/.test(line)) return refused(at)
    if (/^[ \t]/.test(line)) {
      if (!last) return refused(at)
      fields.set(last, `${fields.get(last)!} ${line.trim()}`)
      continue
    }
    if ((count += 1) > MAX_FIELDS) return TOO_MANY_FIELDS
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    if (!TOKEN.test(name)) return refused(at)
    last = name.toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = fields.get(last)
    if (known !== undefined && (last === 'host' || last === 'content-length')) return refused(at)
    fields.set(last, known === undefined ? value : `${known}, ${value}`)
  }
  return fields
}

function bodyOf(fields: ReadonlyMap<string, string>): RequestHead['body'] | undefined {
  const coding = fields.get('transfer-encoding')
  const length = fields.get('content-length')
  if (length !== undefined && !/^\d{1,18}$/.test(length)) return undefined
  if (coding !== undefined) {
    if (!/(^|,\s*)chunked$/i.test(coding)) return undefined
    const isContradictory = length !== undefined
    return isContradictory ? { kind: 'none', length: 0, isContradictory } : { kind: 'chunked', length: 0 }
  }
  if (length === undefined) return NO_BODY
  return length === '0' ? NO_BODY : { kind: 'length', length: Number(length) }
}

const HOST = /^(?:\[(?=[^\]]*:[^\]]*[:\da-f])[\da-f:.]*\]|([\w.-]+))(?::(\d+))?$/i
const FOUR_NUMBERS = /^(?:(?:0|[1-9]\d*)\.){3}(?:0|[1-9]\d*)\.?$/

/** A whole URL of our scheme stands above the Host field (RFC 9112, 3.2.2). */
function hostOf(target: string, fields: ReadonlyMap<string, string>, scheme: Scheme): string | undefined {
  const [, given = '', authority] = /^(https?):\/\/([^/]*)/i.exec(target) ?? []
  return given.toLowerCase() === scheme ? authority : fields.get('host')
}

function isHostValid(host: string | undefined, version: string): boolean {
  if (!host && version === '1.0') return true
  if (host === undefined) return false
  const match = HOST.exec(host)
  if (!match) return false
  const [, name, port] = match
  return (!port || (Number(port) >= 1 && Number(port) <= 65_535)) && (name === undefined || isNameValid(name))
}

/** An address in full, or a name whose last part begins with a letter (RFC 1123, 2.1). No part is empty. */
const isNameValid = (name: string): boolean => {
  if (name.includes('..')) return false
  if (/^[\d.]+$/.test(name)) return FOUR_NUMBERS.test(name)
  return !/\.[^A-Za-z.][^.]*$/.test(name)
}

/** What a line of a chunk may begin with: Apache refuses any other character at once. */
const CHUNK_LINE = /^[\da-f]*[ \t]*(?:;[^\n]*)?\r?$/i

/** RFC 9112, 7.1: `1a;ext CRLF … CRLF`, and at the end `0 CRLF trailers CRLF`. */
function decodeChunk(bytes: Buffer): Decoded<Frame> | Incomplete {
  const end = bytes.indexOf('\r\n', 0, 'latin1')
  const line = bytes.toString('latin1', 0, end < 0 ? Math.min(bytes.length, MAX_LINE_BYTES) : end)
  if (!CHUNK_LINE.test(line)) return badRequest(bytes)
  if (end < 0) return bytes.length > MAX_LINE_BYTES ? badRequest(bytes) : undefined
  const size = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i.exec(bytes.toString('latin1', 0, end))?.[1]
  if (!size) {
    const isHuge = /^[\da-f]{9}/i.test(bytes.toString('latin1', 0, 9))
    return isHuge ? { frame: { status: 413, line: '' }, length: bytes.length } : badRequest(bytes)
  }
  const length = parseInt(size, 16)
  if (length > MAX_BODY_BYTES) return { frame: { status: 413, line: '' }, length: bytes.length }
  if (length === 0) {
    const hasNoTrailers = bytes[end + 2] === 13 && bytes[end + 3] === 10
    const trailersEnd = hasNoTrailers ? end : bytes.indexOf('\r\n\r\n', end, 'latin1')
    if (trailersEnd < 0) return bytes.length > MAX_LINE_BYTES ? badRequest(bytes) : undefined
    if (!hasNoTrailers && typeof parseFields(bytes.toString('latin1', end + 2, trailersEnd)) === 'string')
      return { frame: { status: 400, line: '', hasLength: true }, length: bytes.length }
    if (hasNoTrailers || trailersEnd > end)
      return { frame: { bodyPart: bytes.subarray(0, 0), isLast: true }, length: trailersEnd + 4 }
    return undefined
  }
  const whole = end + 2 + length + 2
  if (bytes.length < whole) return { atLeast: whole }
  if (bytes[whole - 2] !== 13 || bytes[whole - 1] !== 10) return badRequest(bytes)
  return { frame: { bodyPart: bytes.subarray(end + 2, end + 2 + length), isLast: false }, length: whole }
}
