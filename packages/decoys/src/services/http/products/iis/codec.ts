// HTTP/1.1 requests as HTTP.sys reads them: it refuses at the first line that cannot be right, and takes bare line feeds.
import { trimmed } from '../../protocol/trimmed.ts'
import type { Decoded, Incomplete } from '../../../../session/session.ts'
import type { BodyProgress, Frame, RequestHead } from '../../protocol/request.ts'
import { decodeChunk } from '../../protocol/chunks.ts'
import { statusOfError, type HttpSysError } from './http-sys.ts'
import { readRequestLine, type RequestLine } from './request-line.ts'

/** MaxRequestBytes: request line and header fields. */
const MAX_HEAD_BYTES = 16_384
const [LF, CR] = [10, 13]

export function decode(bytes: Buffer, body: BodyProgress): Decoded<Frame> | Incomplete {
  if (!body) return decodeHead(bytes)
  if (body.kind === 'chunked') return decodeChunk(bytes, body.left)
  const length = Math.min(body.left, bytes.length)
  return { frame: { bodyPart: bytes.subarray(0, length), isLast: length === body.left }, length }
}

function decodeHead(bytes: Buffer): Decoded<Frame> {
  let start = 0
  while (bytes[start] === CR || bytes[start] === LF) start += 1
  const first = lineAt(bytes, start)
  const broken = (error: HttpSysError): Decoded<Frame> => ({
    frame: { status: statusOfError(error), note: error, line: first?.text ?? '' },
    length: bytes.length,
  })
  const isTooLong = bytes.length - start > MAX_HEAD_BYTES
  if (!first) return isTooLong ? broken('request-length') : undefined
  const line = readRequestLine(first.text)
  if (typeof line === 'string') return broken(line)
  if (line.version === '0.9') {
    const head: RequestHead = { ...line, headers: new Map(), body: NO_BODY }
    return { frame: { head }, length: bytes.length }
  }
  const fields = new Map<string, string>()
  for (let at = first.end, name = ''; ;) {
    const next = lineAt(bytes, at)
    if ((next?.end ?? bytes.length) - start > MAX_HEAD_BYTES) return broken('request-length')
    if (!next) return undefined
    at = next.end
    if (next.text === '') {
      const head = checked(line, fields)
      return typeof head === 'string' ? broken(head) : { frame: { head }, length: at }
    }
    const added = addLine(fields, next.text, name)
    if (added === undefined) return broken('header')
    name = added
  }
}

/** Ends at a line feed; a carriage return before it belongs to the line end. */
function lineAt(bytes: Buffer, from: number): { readonly text: string; readonly end: number } | undefined {
  const at = bytes.indexOf(LF, from)
  if (at < 0) return undefined
  return {
    text: bytes.toString('latin1', from, bytes[at - 1] === CR && at > from ? at - 1 : at),
    end: at + 1,
  }
}

const NO_BODY = { kind: 'none', length: 0 } as const
/** A second one of these makes the request ambiguous. */
const UNIQUE = new Set(['host', 'content-length'])

/** The name of the field that the line belongs to; a line that begins with a blank continues it. Undefined: it is none. */
function addLine(fields: Map<string, string>, text: string, last: string): string | undefined {
  if (/[\x00\r]/.test(text)) return undefined
  if (/^[ \t]/.test(text)) {
    if (last === '') return undefined
    fields.set(last, `${fields.get(last) ?? ''} ${text.trim()}`)
    return last
  }
  const [start = '', name = ''] = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):/.exec(text) ?? []
  if (name === '') return undefined
  const value = trimmed(text.slice(start.length), ' \t')
  const key = name.toLowerCase()
  const known = fields.get(key)
  fields.set(key, known === undefined ? value : `${known}${UNIQUE.has(key) ? '\n' : ', '}${value}`)
  return key
}

const MAX_LENGTH = 2n ** 64n - 1n
/** A verb that has a body by its meaning needs a length. */
const NEEDS_LENGTH = new Set(['POST', 'PUT'])

/** What is checked once the head is whole. */
function checked(line: RequestLine, headers: ReadonlyMap<string, string>): RequestHead | HttpSysError {
  const [host, length, coding] = ['host', 'content-length', 'transfer-encoding'].map((name) =>
    headers.get(name),
  )
  if (host?.includes('\n') || length?.includes('\n')) return 'bad-request'
  if (host === undefined ? line.version === '1.1' : !isHostValid(host)) return 'hostname'
  if (length !== undefined && (!/^\d{1,20}$/.test(length) || BigInt(length) > MAX_LENGTH))
    return 'bad-request'
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'not-implemented'
  if (coding !== undefined && length !== undefined) return 'bad-request'
  if (NEEDS_LENGTH.has(line.method) && length === undefined && coding === undefined) return 'length-required'
  const body =
    coding !== undefined
      ? ({ kind: 'chunked', length: 0 } as const)
      : Number(length ?? 0) > 0
        ? ({ kind: 'length', length: Number(length) } as const)
        : NO_BODY
  return { ...line, headers, body }
}

/** A name, an address or one in brackets, and a port. */
const isHostValid = (host: string): boolean =>
  /^(?:\[[\da-f:.]+\]|[^\s/\\:@?#[\]<>"]+)(?::\d{0,5})?$/i.test(host)
