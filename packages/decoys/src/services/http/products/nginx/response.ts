// Responses as nginx 1.22 writes them: the order of the header fields, and what it says about the connection.
import { CONTINUE, httpDate, joined, type Envelope, type HttpResponse } from '../../protocol/response.ts'
import { USUAL_REASONS, type Reasons } from '../../protocol/reason-phrases.ts'
import type { Connection, Exchange } from '../../protocol/web-server.ts'

const REASONS: Reasons = {
  ...USUAL_REASONS,
  405: 'Not Allowed',
}

export const reasonOf = (status: number): string => REASONS[status] ?? ''

/** `fieldsBefore`: Last-Modified, and Location of a folder; `fieldsAfter`: all that modules add. */
export function serialize(
  response: HttpResponse,
  { server, extraFields, connection, now }: Envelope,
): Buffer | string {
  const { status, fieldsBefore = '', body, fieldsAfter = '', type, isChunked, hasLength = true } = response
  const length = hasLength && !isChunked ? (response.length ?? body?.length) : undefined
  const head =
    (response.isContinued ? CONTINUE : '') +
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nServer: ${server}\r\nDate: ${httpDate(now)}\r\n` +
    (type ? `Content-Type: ${type}\r\n` : '') +
    (length === undefined ? '' : `Content-Length: ${length}\r\n`) +
    fieldsBefore +
    (isChunked ? 'Transfer-Encoding: chunked\r\n' : '') +
    connection +
    withExtraFields(fieldsAfter, extraFields) +
    (status === RANGE_STATUS ? extraFields : '') +
    '\r\n'
  return joined(head, response)
}

/** The file's own answer is asked for them first, then the error page. */
const RANGE_STATUS = 416

/** `add_header … always` comes behind the ETag of the file and the address of `return`, before what gzip and ranges add. */
const withExtraFields = (fields: string, extraFields: string): string =>
  fields.replace(/^(?:(?:ETag|Location): [^\n]*\n)?/, (first) => first + extraFields)

/** keepalive_requests. */
export const MAX_REQUESTS = 1_000
/** keepalive_disable. */
const OLD_BROWSERS = /MSIE (?:[45]|6(?!.*SV1))/
const CLOSING_STATUSES = new Set([400, 413, 414, 500, 501])

export function connection({ head, response, requestsLeft }: Exchange): Connection {
  const asked = head.headers.get('connection') ?? ''
  const isKept = /close/i.test(asked) ? false : /keep-alive/i.test(asked) || head.version === '1.1'
  const isOldPost = head.method === 'POST' && OLD_BROWSERS.test(head.headers.get('user-agent') ?? '')
  const closes =
    !isKept ||
    isOldPost ||
    requestsLeft <= 0 ||
    CLOSING_STATUSES.has(response.status) ||
    head.refusedWith !== undefined
  return {
    closes: closes || response.isLast === true,
    fields: `Connection: ${closes ? 'close' : 'keep-alive'}\r\n`,
  }
}
