// The head of an answer as Apache writes it, whose name the token host bears: fields in Apache's order, `Keep-Alive` to those
// alone who asked for it. In Node's own order and words one scan would find every console.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

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

/** Counts the request on its connection. `length` in bytes. */
export type HeadWriter = (
  request: IncomingMessage,
  headers: Readonly<Record<string, string>>,
  length: number,
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

  return (request, headers, length) => {
    const options = connectionOptions(request)
    const left = requestsLeft(request.socket)
    const asked = options.includes('keep-alive')
    const closes = left <= 0 || options.includes('close') || (request.httpVersion === '1.0' && !asked)
    const fields = ['Date', httpDate(now()), 'Server', 'Apache']
    for (const [name, value] of Object.entries(headers)) if (name !== 'Content-Type') fields.push(name, value)
    fields.push('Content-Length', String(length))
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

/** As Apache 2.4.71 has it. */
const BAD_REQUEST = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html><head>
<title>400 Bad Request</title>
</head><body>
<h1>Bad Request</h1>
<p>Your browser sent a request that this server could not understand.<br />
</p>
</body></html>
`

/** The whole answer to what is no request; Apache closes behind it. */
export const badRequest = (now: number): string =>
  [
    'HTTP/1.1 400 Bad Request',
    `Date: ${httpDate(now)}`,
    'Server: Apache',
    `Content-Length: ${BAD_REQUEST.length}`,
    'Connection: close',
    'Content-Type: text/html; charset=iso-8859-1',
    '',
    BAD_REQUEST,
  ].join('\r\n')
