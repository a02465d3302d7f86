// HTTP/1.1 requests (RFC 9112), parsed as strictly as by Apache 2.4: first the head, then the body part by part.
import type { Decoded } from '../../../../session/session.ts'
import type { BodyProgress, BrokenRequest, Frame, RequestHead, Scheme } from '../../protocol/request.ts'
import { decodeChunk } from './chunks.ts'
import {
  FIELD_TOO_LONG,
  isBroken,
  MAX_FIELDS,
  MAX_LINE_BYTES,
  parseFields,
  TOKEN,
  TOO_MANY_FIELDS,
} from './fields.ts'

const LF = 10
const MAX_BLANK_LINES = 10
export const MAX_BODY_BYTES = 1024 * 1024

export function decode(
  bytes: Buffer,
  body: BodyProgress,
  scheme: Scheme = 'http',
  hasRequest = false,
): Decoded<Frame> {
  if (!body) return decodeHead(bytes, scheme, hasRequest)
  if (body.kind === 'chunked') return decodeChunk(bytes, body.left)
  const length = Math.min(body.left, bytes.length)
  return { frame: { bodyPart: bytes.subarray(0, length), isLast: length === body.left }, length }
}

function decodeHead(bytes: Buffer, scheme: Scheme, hasRequest: boolean): Decoded<Frame> {
  let start = 0
  // Behind a request, Apache takes a bare line feed for an empty line, too.
  if (hasRequest) while (bytes[start] === LF) start += 1
  for (let blankLines = 0; bytes[start] === 13 && bytes[start + 1] === LF; start += 2) {
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
  if (!request && !FOREIGN_URL.test(line)) return badRequest(bytes, read)
  if (request?.version === '0.9')
    return { frame: { head: { ...request, headers: new Map(), body: NO_BODY } }, length: bytes.length }
  const end = bytes.indexOf('\r\n\r\n', lineEnd - 1, 'latin1')
  if (end < 0) return checkPartialHead(bytes, lineEnd + 1, read)
  const fields = parseFields(end < lineEnd ? '' : bytes.toString('latin1', lineEnd + 1, end))
  if (typeof fields === 'string') return badRequest(bytes, { ...read, note: fields })
  if (!request) return foreignUrl(bytes, fields.get('host'), read)
  const body = bodyOf(fields)
  // RFC 9112, 3.2: of a whole URL, too. Apache asks it of this version alone.
  if (/ HTTP\/1\.1$/.test(line) && !fields.has('host')) return badRequest(bytes, read)
  if (!isHostValid(hostOf(request, fields, scheme), request.version)) {
    return badRequest(bytes, { ...read, host: fields.get('host') })
  }
  if (!body) return badRequest(bytes, read)
  return { frame: { head: { ...request, headers: fields, body } }, length: end + 4 }
}

/** A URL of another scheme is refused when the fields are there. */
const FOREIGN_URL =
  /^(?!CONNECT )[!#$%&'*+.^_`|~0-9A-Za-z-]+ (?!https?:)[a-z][a-z\d+.-]*:\/[^\x00-\x20\x7f#]* HTTP\/[1-9]\.\d$/i

/** The page is signed by the host that the client named in its Host field. */
function foreignUrl(bytes: Buffer, host: string | undefined, read: PartialRead): Decoded<Frame> {
  const [, name = '', port] = (isHostValid(host, '1.1') && /^(.*?)(?::(\d+))?$/.exec(host ?? '')) || []
  const signature = {
    name: name
      .replace(/^\[|\]$/g, '')
      .toLowerCase()
      .replace(/\.$/, ''),
    ...(port && { port }),
  }
  return name
    ? { frame: { status: 400, line: read.line ?? '', ...signature }, length: bytes.length }
    : badRequest(bytes, { ...read, host })
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
export function ownTarget(line: string, own: Scheme): { readonly name?: string; readonly port?: string } {
  const connect = /^CONNECT (?:\[([^\]\s]*)\]|([^:\s]*)):(\d*)(\S*)/.exec(line)
  if (connect) {
    const [, literal, name = literal, digits = '', rest] = connect
    return { ...(name && digits && !rest && { name }), port: String(Number(digits) & 0xffff) }
  }
  const [, scheme = '', name = '', port] =
    /^\S+ (https?):\/\/(?:[^/? ]*@)?(\[[^\]/?# ]*\]|[^/:?# ]*)(?::(\d{1,5}))?/i.exec(line) ?? []
  return {
    ...(scheme.toLowerCase() === own && { name: name.replace(/^\[|\]$/g, '') }),
    ...(port && { port: String(Number(port) & 0xffff) }),
  }
}

/** The port signs the error page even when the name before it is wrong. */
function portOf(authority: string | undefined): string | undefined {
  const port = Number(/^(?:\[.*\]|[^[].*):(\d{1,5})$/.exec(authority ?? '')?.[1] ?? 0)
  return port >= 1 && port <= 65_535 ? String(port) : undefined
}

/** Refuses a head that is already too big or wrong, although its end is missing. */
function checkPartialHead(bytes: Buffer, from: number, read: PartialRead): Decoded<Frame> {
  if (isBroken(bytes.toString('latin1', from))) return badRequest(bytes, read)
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
    return method === 'GET' && /^(?:\/|https?:)/i.test(target)
      ? { method, target, version: '0.9' }
      : undefined
  if (words.length !== 3 || !/^HTTP\/[1-9]\.\d$/.test(version!)) return undefined
  const isTarget =
    method === 'CONNECT'
      ? /^[^/]+:\d+$/.test(target)
      : /^[/?]/.test(target) || isUrl(target) || (method === 'OPTIONS' && /^\*(?:\?|$)/.test(target))
  return isTarget ? { method, target, version: version === 'HTTP/1.0' ? '1.0' : '1.1' } : undefined
}

/** Any text behind the scheme will do, but a user's name and two ports. */
const isUrl = (target: string): boolean => /^https?:(?!\/\/(?:[^/?]*@|[^/?[]*:[^/?]*:))/i.test(target)

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

/** A whole URL of our scheme, or the target of CONNECT, stands above the Host field (RFC 9112, 3.2.2 and 3.2.3). */
function hostOf(
  { method, target }: Pick<RequestHead, 'method' | 'target'>,
  fields: ReadonlyMap<string, string>,
  scheme: Scheme,
): string | undefined {
  const [, given = '', authority = ''] = /^(https?):\/\/([^/?]*)/i.exec(target) ?? []
  const isAbove = method === 'CONNECT' || (given.toLowerCase() === scheme && authority)
  // Of its port any number will do.
  return isAbove ? (authority || target).replace(/:\d*$/, '') : fields.get('host')
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
