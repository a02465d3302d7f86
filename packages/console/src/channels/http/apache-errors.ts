// What Apache 2.4.71 refuses by itself, before anything of its site is asked, with its own pages: the token host bears its name.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { IncomingMessage } from 'node:http'
import type { HttpAnswer } from '@rookery/tokens/channels/http/visit.ts'

export interface ApacheError extends HttpAnswer {
  /** The reason phrase of its status line. */
  readonly reason: string
  readonly body: string
}

/** Of a request, what its refusal depends on; `headers` in lower case. */
export type RefusedHead = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'> & {
  readonly headers: Pick<IncomingMessage['headers'], 'host' | 'expect'>
}

/** Its LimitRequestLine and LimitRequestFieldSize are 8190; it takes one byte more. */
const MAX_LINE_CHARACTERS = 8_191
/** Its LimitRequestFields. */
const MAX_FIELDS = 100
/** Of a request line, without method and target. */
const VERSION_CHARACTERS = ' '.length + ' HTTP/1.1'.length
/** What it serves without further modules. */
const ALLOW = { Allow: 'HEAD,GET,POST,OPTIONS,TRACE' }

function page(
  status: number,
  reason: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ApacheError {
  const body =
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n' +
    `<html><head>\n<title>${status} ${reason}</title>\n</head><body>\n<h1>${reason}</h1>\n${text}\n</body></html>\n`
  return { status, reason, headers: { ...headers, 'Content-Type': 'text/html; charset=iso-8859-1' }, body }
}

const badRequestPage = (why = ''): ApacheError =>
  page(
    400,
    'Bad Request',
    `<p>Your browser sent a request that this server could not understand.<br />\n${why}</p>`,
  )

export const BAD_REQUEST = badRequestPage()
const FIELD_TOO_LONG = badRequestPage('Size of a request header field exceeds server limit.')
const TOO_MANY_FIELDS = badRequestPage("The number of request header fields exceeds this server's limit.")
const URI_TOO_LONG = page(
  414,
  'Request-URI Too Long',
  "<p>The requested URL's length exceeds the capacity\nlimit for this server.<br />\n</p>",
)
const REQUEST_TIMEOUT = page(
  408,
  'Request Timeout',
  '<p>Server timeout waiting for the HTTP request from the client.</p>',
)
const CONNECT_NOT_ALLOWED = page(
  405,
  'Method Not Allowed',
  '<p>The requested method CONNECT is not allowed for this URL.</p>',
  ALLOW,
)

const notImplemented = (method: string): ApacheError =>
  page(501, 'Not Implemented', `<p>${escaped(method)} not supported for current URL.<br />\n</p>`, ALLOW)

const expectationFailed = (expect: string): ApacheError =>
  page(
    417,
    'Expectation Failed',
    '<p>The expectation given in the Expect request-header\nfield could not be met by this server.\nThe client sent<pre>\n' +
      `    Expect: ${escaped(expect)}\n</pre>\n</p><p>Only the 100-continue expectation is supported.</p>`,
  )

/** As Apache writes them. */
const ENTITIES = byWord<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })

const escaped = (text: string): string => text.replace(/[&<>"]/g, (it) => ENTITIES[it] ?? it)

/** Undefined for a request that Apache would ask its site for. */
export function refusalOf(
  { method, url, headers, rawHeaders }: RefusedHead,
  httpVersion: string,
): ApacheError | undefined {
  if ((method?.length ?? 0) + (url?.length ?? 0) + VERSION_CHARACTERS > MAX_LINE_CHARACTERS)
    return URI_TOO_LONG
  if (rawHeaders.length > 2 * MAX_FIELDS) return TOO_MANY_FIELDS
  // RFC 9112, 3.2.
  if (!headers.host && httpVersion === '1.1') return BAD_REQUEST
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const length = (rawHeaders[at]?.length ?? 0) + ': '.length + (rawHeaders[at + 1]?.length ?? 0)
    if (length > MAX_LINE_CHARACTERS) return FIELD_TOO_LONG
  }
  const { expect } = headers
  return expect === undefined || expect.toLowerCase() === '100-continue'
    ? undefined
    : expectationFailed(expect)
}

/** Apache without a proxy tunnels nothing. */
export const connectRefusal = (request: IncomingMessage): ApacheError =>
  refusalOf(request, request.httpVersion) ??
  (/^[^/]+:\d+$/.test(request.url ?? '') ? CONNECT_NOT_ALLOWED : BAD_REQUEST)

/** Of what the HTTP parser rejects with this code; `head` is what its bytes show of a request. */
export function rejectionOf(
  code: string | undefined,
  head: (RefusedHead & { readonly httpVersion: string; readonly isWhole: boolean }) | undefined,
): ApacheError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return REQUEST_TIMEOUT
  const refusal = head && refusalOf(head, head.httpVersion)
  if (code === 'HPE_HEADER_OVERFLOW') return refusal === URI_TOO_LONG ? URI_TOO_LONG : FIELD_TOO_LONG
  if (code !== 'HPE_INVALID_METHOD' || !head?.isWhole) return BAD_REQUEST
  return refusal ?? notImplemented(head.method ?? '')
}
