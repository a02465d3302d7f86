// When Apache closes behind an answer, and what it says about that.
import type { RequestHead } from '../../protocol/request.ts'
import { connectionOptions, type Connection, type Exchange } from '../../protocol/web-server.ts'

/** Apache's MaxKeepAliveRequests, and the one that it closes behind. */
export const MAX_REQUESTS = 101
/** Apache closes after these. */
const CLOSING_STATUSES = new Set([400, 408, 411, 413, 414, 417, 500, 501, 503])

export function connection(exchange: Exchange): Connection {
  const { head, response, requestsLeft } = exchange
  const closes = closesAfter(exchange)
  return { closes, fields: fieldsOf(head, response.status, closes, requestsLeft) }
}

function closesAfter({ head, response, hadBody, requestsLeft }: Exchange): boolean {
  const { status, body, hasLength, isChunked } = response
  const options = connectionOptions(head)
  // After a final answer to `Expect` the client may still send the body, which would be read as the next request.
  const mayLeaveBody = !hadBody && Boolean(head.headers.get('expect'))
  return (
    CLOSING_STATUSES.has(status) ||
    head.body.isContradictory === true ||
    // Only the close ends such a body.
    (body !== undefined && hasLength === false && isChunked !== true) ||
    mayLeaveBody ||
    requestsLeft <= 0 ||
    options.includes('close') ||
    (head.version === '1.0' && !options.includes('keep-alive'))
  )
}

function fieldsOf(head: RequestHead, status: number, closes: boolean, requestsLeft: number): string {
  const options = connectionOptions(head)
  const isKept = options.includes('keep-alive')
  // What the client asked for; a refused expectation closes the connection all the same.
  const asksToClose = requestsLeft <= 0 || options.includes('close') || (head.version === '1.0' && !isKept)
  if (status === 417 ? asksToClose : closes) return 'Connection: close\r\n'
  return isKept ? `Keep-Alive: timeout=5, max=${requestsLeft}\r\nConnection: Keep-Alive\r\n` : ''
}
