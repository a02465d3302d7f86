// Responses as Apache 2.4 writes them: the order of the header fields, the error pages.
import { escapeHtml, httpDate, joined, type Envelope, type HttpResponse } from '../../protocol/response.ts'
import { USUAL_REASONS, type Reasons } from '../../protocol/reason-phrases.ts'

const REASONS: Reasons = {
  ...USUAL_REASONS,
  414: 'Request-URI Too Long',
  417: 'Expectation Failed',
}

export const reasonOf = (status: number): string => REASONS[status] ?? ''

/** The page about ranges beyond a file is a second answer: when the first one has settled the close, it has no chunks. */
const CLOSES = 'Connection: close\r\n'

export function serialize(
  response: HttpResponse,
  { server, extraFields, connection, now }: Envelope,
): Buffer | string {
  const { status, fieldsBefore = '', body, fieldsAfter = '', type, hasLength = true } = response
  const isChunked = response.isChunked && !(status === 416 && connection === CLOSES)
  const length = response.length ?? body?.length
  const head =
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nDate: ${httpDate(now)}\r\nServer: ${server}\r\n${extraFields}${fieldsBefore}` +
    (length === undefined || isChunked || !hasLength ? '' : `Content-Length: ${length}\r\n`) +
    fieldsAfter +
    connection +
    (isChunked ? 'Transfer-Encoding: chunked\r\n' : '') +
    (type ? `Content-Type: ${type}\r\n` : '') +
    '\r\n'
  return joined(head, { ...response, ...(!isChunked && { isChunked: false }) })
}

const ERROR_TYPE = 'text/html; charset=iso-8859-1'

/** Who signs an error page. */
export interface Signature {
  readonly server: string
  readonly name: string
  readonly port: string
}

/** Apache's page for an error; `html` explains it. */
export function errorPage(status: number, html: string, signature: Signature): HttpResponse {
  const heading = REASONS[status]
  const body =
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n' +
    `<html><head>\n<title>${status} ${heading}</title>\n</head><body>\n<h1>${heading}</h1>\n${html}<hr>\n` +
    `<address>${escapeHtml(signature.server)} Server at ${escapeHtml(signature.name)} Port ${signature.port}</address>\n</body></html>\n`
  return { status, body, type: ERROR_TYPE }
}

export const badRequestText = (note = ''): string =>
  `<p>Your browser sent a request that this server could not understand.<br />\n${escapeHtml(note)}</p>\n`
