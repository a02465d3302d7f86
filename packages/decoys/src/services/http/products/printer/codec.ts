// Requests as the small server of a printer reads them: one a connection, a head of 4 KiB at most.
import { trimmed } from '../../protocol/trimmed.ts'
import type { Decoded, Incomplete } from '../../../../session/session.ts'
import type { BodyProgress, BrokenRequest, Frame, RequestHead } from '../../protocol/request.ts'
import { pathOf } from './path.ts'

const MAX_HEAD_BYTES = 4_096
const METHODS = new Set(['GET', 'HEAD', 'POST'])

export function decode(bytes: Buffer, body: BodyProgress): Decoded<Frame> | Incomplete {
  if (body?.kind === 'length') {
    const length = Math.min(body.left, bytes.length)
    return { frame: { bodyPart: bytes.subarray(0, length), isLast: length === body.left }, length }
  }
  const all = bytes.toString('latin1', 0, MAX_HEAD_BYTES)
  // Empty lines before a request are none of it (RFC 9112, 2.2).
  const text = all.replace(/^(?:\r?\n)+/, '')
  const end = /\r?\n\r?\n/.exec(text)
  const broken = (status: number, line: string): Decoded<Frame> => ({
    frame: { status, line },
    length: bytes.length,
  })
  const [first = '', ...lines] = text.slice(0, end?.index).split(/\r?\n/)
  // RFC 9112, 3: a request line that is longer than any that it reads.
  const tooLong = lines.length > 0 ? 400 : 414
  if (!end) return bytes.length >= MAX_HEAD_BYTES ? broken(tooLong, first) : undefined
  const frame = readHead(first, lines)
  return 'status' in frame
    ? broken(frame.status, first)
    : { frame: { head: frame }, length: all.length - text.length + end.index + end[0].length }
}

function readHead(first: string, lines: readonly string[]): RequestHead | BrokenRequest {
  const bad = (status: number): BrokenRequest => ({ status, line: first })
  const [, method = '', target = '', major = '1', minor = '0'] =
    /^([A-Za-z]+) +(\S+)(?: +HTTP\/(\d)\.(\d))? *$/.exec(first) ?? []
  if (method === '') return bad(400)
  if (major !== '1') return bad(505)
  if (!METHODS.has(method)) return bad(501)
  if (pathOf(target) === undefined) return bad(400)
  const fields = readFields(lines)
  if (!fields) return bad(400)
  const version = minor === '0' ? '1.0' : '1.1'
  if (version === '1.1' && !fields.has('host')) return bad(400)
  const given = fields.get('content-length')
  const coding = fields.get('transfer-encoding')
  if (given !== undefined && (coding !== undefined || !/^\d{1,9}$/.test(given))) return bad(400)
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return bad(501)
  if (method === 'POST' && given === undefined) return bad(411)
  const length = method === 'POST' ? Number(given ?? 0) : 0
  return { method, target, version, headers: fields, body: { kind: length > 0 ? 'length' : 'none', length } }
}

/** A field that only one may give stands once; undefined: a line is no field (RFC 9112, 5). */
function readFields(lines: readonly string[]): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([!-9;-~]+):([^\0\r]*)$/.exec(line) ?? []
    const value = trimmed(rest, ' \t')
    const key = name.toLowerCase()
    if (key === '') return undefined
    const known = fields.get(key)
    if (known !== undefined && (key === 'host' || (key === 'content-length' && known !== value)))
      return undefined
    fields.set(key, known === undefined || known === value ? value : `${known}, ${value}`)
  }
  return fields
}
