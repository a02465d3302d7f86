// Responses as HTTP.sys writes them: known fields by their number (HTTP_HEADER_ID of the HTTP Server API), then the others,
// then what it adds itself.
import { httpDate, type Envelope, type HttpResponse, joined } from '../../protocol/response.ts'
import { USUAL_REASONS } from '../../protocol/reason-phrases.ts'
import type { Connection, Exchange } from '../../protocol/web-server.ts'

/** From HttpHeaderCacheControl (0) to HttpHeaderWwwAuthenticate (29). */
const KNOWN_FIELDS =
  `cache-control connection date keep-alive pragma trailer transfer-encoding upgrade via warning allow
  content-length content-type content-encoding content-language content-location content-md5 content-range expires
  last-modified accept-ranges age etag location proxy-authenticate retry-after server set-cookie vary
  www-authenticate`.split(/\s+/)
const HTTP_SYS = 'Microsoft-HTTPAPI/2.0'
const POWERED_BY = 'X-Powered-By: ASP.NET\r\n'

const rankOf = (line: string): number => {
  const at = KNOWN_FIELDS.indexOf(line.slice(0, line.indexOf(':')).toLowerCase())
  return at < 0 ? KNOWN_FIELDS.length : at
}

/** Content-Length of an answer to HEAD is IIS's own, and stands at its number; else HTTP.sys counts, and adds it last. */
export function serialize(
  response: HttpResponse,
  { server, extraFields, connection, now }: Envelope,
): Buffer | string {
  const { status, type, fieldsBefore = '', fieldsAfter = '', body, hasNoExtraFields = false } = response
  const announced =
    body === undefined && status !== 304 && response.length !== 0 ? response.length : undefined
  const counted = body?.length ?? (response.length === 0 ? 0 : undefined)
  const fields =
    (announced === undefined ? '' : `Content-Length: ${announced}\r\n`) +
    (type === undefined ? '' : `Content-Type: ${type}\r\n`) +
    fieldsBefore +
    `Server: ${hasNoExtraFields ? HTTP_SYS : server}\r\n` +
    fieldsAfter +
    (hasNoExtraFields ? '' : POWERED_BY + extraFields)
  const lines = fields.split(/(?<=\n)/).sort((a, b) => rankOf(a) - rankOf(b))
  return joined(
    `HTTP/1.1 ${status} ${USUAL_REASONS[status]}\r\n${lines.join('')}Date: ${httpDate(now)}\r\n${connection}` +
      `${counted === undefined ? '' : `Content-Length: ${counted}\r\n`}\r\n`,
    response,
  )
}

/** HTTP.sys keeps a connection as the client's version and its Connection field say; it counts no requests. */
export function connection({ head }: Exchange): Connection {
  const options = (head.headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/)
  const isKept = head.version === '1.0' ? options.includes('keep-alive') : !options.includes('close')
  if (!isKept) return { closes: true, fields: 'Connection: close\r\n' }
  return { closes: false, fields: head.version === '1.0' ? 'Connection: keep-alive\r\n' : '' }
}
