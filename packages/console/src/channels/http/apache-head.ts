// The head of an answer as Apache writes it, whose name the token host bears: fields in Apache's order, `Keep-Alive` to those
// alone who asked for it. In Node's own order and words one scan would find every console.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpAnswer } from '@rookery/tokens/channels/http/visit.ts'
import type { ApacheError } from './apache-errors.ts'

/** Apache's MaxKeepAliveRequests: behind one more it closes. */
const MAX_REQUESTS = 100
/** Apache's KeepAliveTimeout. */
export const KEEP_ALIVE_S = 5

export interface ApacheHead {
  /** Names and values in turn, as `writeHead` of Node takes them. */
  readonly fields: string[]
  /** Whether the connection is closed behind the answer. */
  readonly closes: boolean
}

/** Behind these Apache closes, whatever was asked for. */
const CLOSING: ReadonlySet<number> = new Set([400, 408, 411, 413, 414, 500, 501, 503])

/** Counts the request on its connection. `length` in bytes; undefined where the head does not say it. */
export type HeadWriter = (
  request: IncomingMessage,
  answer: Pick<HttpAnswer, 'status' | 'headers'>,
  length: number | undefined,
) => ApacheHead

/** `now` in milliseconds since the epoch. */
export function headWriter(now: () => number): HeadWriter {
  const answered = new WeakMap<Socket, number>()

  /** `Keep-Alive: … max=` of this answer; at zero the connection has had its share. */
  function requestsLeft(socket: Socket): number {
    const count = (answered.get(socket) ?? 0) + 1
    answered.set(socket, count)
    return MAX_REQUESTS + 1 - count
  }

  return (request, { status, headers }, length) => {
    const options = connectionOptions(request)
    const left = requestsLeft(request.socket)
    const asked = options.includes('keep-alive')
    const closes =
      left <= 0 ||
      options.includes('close') ||
      (request.httpVersion === '1.0' && !asked) ||
      CLOSING.has(status)
    const fields = ['Date', httpDate(now()), 'Server', 'Apache']
    for (const [name, value] of Object.entries(headers)) if (name !== 'Content-Type') fields.push(name, value)
    if (length !== undefined) fields.push('Content-Length', String(length))
    if (closes) fields.push('Connection', 'close')
    else if (asked)
      fields.push('Keep-Alive', `timeout=${KEEP_ALIVE_S}, max=${left}`, 'Connection', 'Keep-Alive')
    const type = headers['Content-Type']
    if (type !== undefined) fields.push('Content-Type', type)
    return { fields, closes }
  }
}

const connectionOptions = ({ headers }: IncomingMessage): string[] =>
  (headers.connection ?? '').split(',').map((it) => it.trim().toLowerCase())

/** RFC 9110, 5.6.7. */
const httpDate = (ms: number): string => new Date(ms).toUTCString()

/** The whole answer outside the parser, which has given the connection up; it is closed behind it. */
export function closingAnswer(
  { status, reason, headers, body }: ApacheError,
  isHead: boolean,
  now: number,
): string {
  const { 'Content-Type': type, ...others } = headers
  return [
    `HTTP/1.1 ${status} ${reason}`,
    `Date: ${httpDate(now)}`,
    'Server: Apache',
    ...Object.entries(others).map(([name, value]) => `${name}: ${value}`),
    ...(isHead ? [] : [`Content-Length: ${body.length}`]),
    'Connection: close',
    `Content-Type: ${type}`,
    '',
    isHead ? '' : body,
  ].join('\r\n')
}
