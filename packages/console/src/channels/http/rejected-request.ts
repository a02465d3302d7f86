// What the bytes that the HTTP parser rejects show of a request: its line, and those of its fields that are well formed.
import type { IncomingMessage } from 'node:http'

export interface RejectedRequest extends Required<
  Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>
> {
  readonly httpVersion: string
  /** All its fields are there: what a proxy says of its client stands behind the client's own. */
  readonly hasAllFields: boolean
  /** Besides, its line and all its fields are well formed. */
  readonly isWhole: boolean
}

/** What is looked at; as long as the head of a request may be. */
const MAX_BYTES = 16_384
const END_OF_HEAD = '\r\n\r\n'
const LINE = /^(\S{1,64}) +(\S(?:.*\S)?) +HTTP\/(\d\.\d)$/
/** A line that is cut, or of no version. */
const LINE_BEGINNING = /^(\S{1,64}) +(\S.*)$/
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** `failedAt` is the offset of what was rejected: the requests before it were parsed. Undefined where there is no request line. */
export function rejectedRequest(piece: Buffer, failedAt: number): RejectedRequest | undefined {
  const before =
    failedAt < END_OF_HEAD.length ? -1 : piece.lastIndexOf(END_OF_HEAD, failedAt - END_OF_HEAD.length)
  const start = before < 0 ? 0 : before + END_OF_HEAD.length
  const text = piece.toString('latin1', start, start + MAX_BYTES).replace(/^[\r\n]+/, '')
  const end = text.indexOf(END_OF_HEAD)
  const [line = '', ...fields] = (end < 0 ? text : text.slice(0, end)).split(/\r?\n/)
  // The last one may go on in the next piece.
  if (end < 0) fields.pop()
  const whole = LINE.exec(line)
  const [, method, target, httpVersion = '1.1'] = whole ?? LINE_BEGINNING.exec(line) ?? []
  if (method === undefined || target === undefined) return undefined
  const { headers, rawHeaders } = fieldsOf(fields)
  return {
    method,
    // No other charset is usual for what is not encoded.
    url: Buffer.from(target, 'latin1').toString(),
    headers,
    rawHeaders,
    httpVersion,
    hasAllFields: end >= 0,
    isWhole: whole !== null && end >= 0 && TOKEN.test(method) && rawHeaders.length === 2 * fields.length,
  }
}

function fieldsOf(lines: readonly string[]): Pick<RejectedRequest, 'headers' | 'rawHeaders'> {
  const rawHeaders: string[] = []
  // Without a prototype: a field may be called `__proto__`.
  const headers = Object.create(null) as Record<string, string>
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    if (!TOKEN.test(name)) continue
    const value = line.slice(colon + 1).trim()
    rawHeaders.push(name, value)
    const key = name.toLowerCase()
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value
  }
  return { headers, rawHeaders }
}
