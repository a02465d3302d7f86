// Messages of SIP (RFC 3261, 7): bytes to requests. Compact names and folded lines are unfolded; order and spelling stay.
import type { Decoded, Incomplete } from '../../../session/session.ts'

export interface Header {
  /** In its long form, as the RFC writes it, if that is known. */
  readonly name: string
  readonly value: string
}

export interface Request {
  readonly method: string
  readonly uri: string
  readonly headers: readonly Header[]
  /** It cannot be read in some place: 400 says so. */
  readonly isBad: boolean
}

/** `'ping'`: two empty lines, which keep a connection alive (RFC 5626, 3.5.1). `'drop'`: what nobody can answer. */
export type Frame = Request | 'ping' | 'drop'

export const MAX_HEAD_BYTES = 65_535
const MAX_BODY_BYTES = 65_535

const LONG = new Map(
  Object.entries({
    a: 'Accept-Contact',
    c: 'Content-Type',
    e: 'Content-Encoding',
    f: 'From',
    i: 'Call-ID',
    k: 'Supported',
    l: 'Content-Length',
    m: 'Contact',
    o: 'Event',
    r: 'Refer-To',
    s: 'Subject',
    t: 'To',
    u: 'Allow-Events',
    v: 'Via',
  }),
)
const USUAL = new Map(
  [
    'Call-ID',
    'Content-Length',
    'CSeq',
    'From',
    'Max-Forwards',
    'Record-Route',
    'To',
    'Via',
    'Authorization',
  ].map((name) => [name.toLowerCase(), name]),
)

/** By TCP: the first message of a stream, whose Content-Length says where it ends. */
export function decodeStream(bytes: Buffer): Decoded<Frame> | Incomplete {
  const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES)
  if (text.startsWith('\r\n\r\n')) return { frame: 'ping', length: 4 }
  if (text.startsWith('\r\n') && bytes.length > 2 && text[2] !== '\r') return { frame: 'drop', length: 2 }
  const end = endOfHead(text)
  if (end === undefined)
    return bytes.length >= MAX_HEAD_BYTES ? { frame: 'drop', length: bytes.length } : undefined
  const request = read(text.slice(0, end))
  const body = request === 'drop' ? 0 : bodyBytes(request.headers)
  // What follows cannot be found.
  if (body === undefined) return { frame: request, length: bytes.length }
  return bytes.length < end + body ? { atLeast: end + body } : { frame: request, length: end + body }
}

/** By UDP: a message is a datagram, with its empty line or without. */
export function decodeDatagram(bytes: Buffer): Decoded<Frame> {
  if (bytes.length === 0) return undefined
  const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES)
  return { frame: read(text.slice(0, endOfHead(text) ?? text.length)), length: bytes.length }
}

function endOfHead(text: string): number | undefined {
  const [crlf, lf] = [text.indexOf('\r\n\r\n'), text.indexOf('\n\n')]
  if (crlf < 0 && lf < 0) return undefined
  return crlf >= 0 && (lf < 0 || crlf < lf) ? crlf + 4 : lf + 2
}

/** Undefined: two lengths that differ, or one that is none. */
function bodyBytes(headers: readonly Header[]): number | undefined {
  const values = headers.filter(({ name }) => name === 'Content-Length').map(({ value }) => value)
  const [first = '0'] = values
  const isOne = /^\d{1,6}$/.test(first) && values.every((value) => value === first)
  return isOne && Number(first) <= MAX_BODY_BYTES ? Number(first) : undefined
}

const REQUEST_LINE = /^([!%'*+\-.\w`~]{1,32}) (\S+) SIP\/2\.0$/i

function read(head: string): Request | 'drop' {
  const lines = unfolded(head)
  const [, method = '', uri = ''] = REQUEST_LINE.exec(lines[0] ?? '') ?? []
  if (method === '') return 'drop'
  const headers: Header[] = []
  let isBad = !/^[a-z][a-z\d+.-]*:\S/i.test(uri)
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trimEnd()
    if (/^[!%'*+\-.\w`~]+$/.test(name))
      headers.push({ name: properName(name), value: line.slice(colon + 1).trim() })
    else isBad = true
  }
  return {
    method,
    uri,
    headers,
    isBad: isBad || bodyBytes(headers) === undefined || lacksOne(method, headers),
  }
}

const properName = (name: string): string => {
  const low = name.toLowerCase()
  return LONG.get(low) ?? USUAL.get(low) ?? name
}

/** Lines that begin with a blank go on with the one before (RFC 3261, 7.3.1). */
function unfolded(head: string): readonly string[] {
  const lines: string[] = []
  for (const part of head.split('\n')) {
    const line = part.endsWith('\r') ? part.slice(0, -1) : part
    if (line === '') continue
    if (/^[ \t]/.test(line) && lines.length > 0) lines[lines.length - 1] += ` ${line.trim()}`
    else lines.push(line)
  }
  return lines
}

export const valueOf = ({ headers }: Pick<Request, 'headers'>, name: string): string | undefined =>
  headers.find((header) => header.name === name)?.value

/** What each request has (RFC 3261, 8.1.1), and a CSeq of its own method. */
function lacksOne(method: string, headers: readonly Header[]): boolean {
  const [, number, of] = /^(\d{1,10}) +(\S+)$/.exec(valueOf({ headers }, 'CSeq') ?? '') ?? []
  if (number === undefined || Number(number) > 2 ** 31 - 1 || of !== method) return true
  return ['From', 'To', 'Call-ID', 'Via'].some((name) => !valueOf({ headers }, name))
}
