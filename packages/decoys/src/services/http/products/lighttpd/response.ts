// Responses as lighttpd 1.4.69 writes them: its status pages, the order of the header fields, and what it says about the connection.
import type { RequestHead } from '../../protocol/request.ts'
import { httpDate, joined, type Envelope, type HttpResponse } from '../../protocol/response.ts'
import { USUAL_REASONS, type Reasons } from '../../protocol/reason-phrases.ts'
import type { Connection, Exchange } from '../../protocol/web-server.ts'

const REASONS: Reasons = {
  ...USUAL_REASONS,
  416: 'Range Not Satisfiable',
  431: 'Request Header Fields Too Large',
}

export function errorPage(
  status: number,
  { method, version }: Pick<RequestHead, 'method' | 'version'>,
): HttpResponse {
  const body = pageText(`${status} ${REASONS[status]}`)
  const page = { status, type: 'text/html', isVersion10: version === '1.0' }
  return method === 'HEAD' ? { ...page, length: body.length } : { ...page, body }
}

const pageText = (title: string): string => `<?xml version="1.0" encoding="iso-8859-1"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
         "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
 <head>
  <title>${title}</title>
 </head>
 <body>
  <h1>${title}</h1>
 </body>
</html>
`

/** `fieldsBefore`: ETag and Last-Modified, Location or Allow; `fieldsAfter`: what ranges add. */
export function serialize(
  response: HttpResponse,
  { server, extraFields, connection, now }: Envelope,
): Buffer | string {
  const { status, type, fieldsBefore = '', body, fieldsAfter = '', isVersion10 = false } = response
  const length = response.length ?? body?.length
  const extra = response.hasNoExtraFields ? '' : extraFields
  // They come behind what the handler of the request wrote: that of files knows the length.
  const isFile = fieldsBefore.startsWith('ETag')
  return joined(
    `HTTP/1.${isVersion10 ? 0 : 1} ${status} ${REASONS[status]}\r\n` +
      (type ? `Content-Type: ${type}\r\n` : '') +
      fieldsBefore +
      (isFile ? '' : extra) +
      (length === undefined ? '' : `Content-Length: ${length}\r\n`) +
      (isFile ? extra : '') +
      fieldsAfter +
      connection +
      `Date: ${httpDate(now)}\r\nServer: ${server}\r\n\r\n`,
    response,
  )
}

/** server.max-keep-alive-requests, and the one that closes. */
export const MAX_REQUESTS = 1_001

/** The last of `close` and `keep-alive` does not count: a `close` does, wherever it stands. */
export function connection({ head, response, requestsLeft }: Exchange): Connection {
  const options = (head.headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/)
  const isKept = options.includes('close') ? false : head.version === '1.1' || options.includes('keep-alive')
  // The body is not read, so the next request cannot be found.
  const closes = !isKept || requestsLeft <= 0 || head.body.kind !== 'none' || response.isLast === true
  if (closes) return { closes, fields: 'Connection: close\r\n' }
  return { closes, fields: head.version === '1.0' ? 'Connection: keep-alive\r\n' : '' }
}
