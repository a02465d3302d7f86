// Requests as the small server of a printer reads them: one a connection, a head of 4 KiB at most.
import type { Decoded, Incomplete } from '../../../../session.ts'
import type { BodyProgress, BrokenRequest, Frame, RequestHead } from '../../request.ts'

const MAX_HEAD_BYTES = 4_096
const METHODS = new Set(['GET', 'HEAD', 'POST'])

export function decode(bytes: Buffer, body: BodyProgress): Decoded<Frame> | Incomplete {
  if (body?.kind === 'length') {
    const length = Math.min(body.left, bytes.length)
    return { frame: { bodyPart: bytes.subarray(0, length), isLast: length === body.left }, length }
  }
  const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES)
  const end = /\r?\n\r?\n/.exec(text)
  const broken = (status: number, line: string): Decoded<Frame> => ({
    frame: { status, line },
    length: bytes.length,
  })
  const [first = '', ...lines] = text.slice(0, end?.index).split(/\r?\n/)
  if (!end) return bytes.length >= MAX_HEAD_BYTES ? broken(400, first) : undefined
  const frame = readHead(first, lines)
  return 'status' in frame
    ? broken(frame.status, first)
    : { frame: { head: frame }, length: end.index + end[0].length }
}

function readHead(first: string, lines: readonly string[]): RequestHead | BrokenRequest {
  const bad = (status: number): BrokenRequest => ({ status, line: first })
  const [, method = '', target = '', minor] =
    /^([A-Za-z]+) +(\/\S*)(?: +HTTP\/1\.([01]))? *$/.exec(first) ?? []
  if (method === '') return bad(400)
  if (!METHODS.has(method)) return bad(501)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!-9;-~]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name === '') return bad(400)
    headers.set(name.toLowerCase(), value)
  }
  const given = headers.get('content-length')
  if (method === 'POST' && given === undefined) return bad(411)
  if (given !== undefined && !/^\d{1,9}$/.test(given)) return bad(400)
  const length = method === 'POST' ? Number(given ?? 0) : 0
  const version = minor === '1' ? '1.1' : '1.0'
  return { method, target, version, headers, body: { kind: length > 0 ? 'length' : 'none', length } }
}
