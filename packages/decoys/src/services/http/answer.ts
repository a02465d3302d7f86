// Answers as Apache 2.4 gives them: the order of the fields, the pages of its errors.

/** An answer before it is spelt. A missing body has no length either (304, errors to HEAD). */
export interface Answer {
  readonly status: number
  /** Between Server and the length. */
  readonly first?: string
  readonly body?: Buffer | string
  /** A body that is announced but not sent (HEAD). */
  readonly length?: number
  /** Behind the length: Vary, Content-Range, Content-Encoding. */
  readonly more?: string
  readonly type?: string
  readonly isChunked?: boolean
}

/** Where the answer goes to. */
export interface Manner {
  readonly server: string
  /** Whole header lines of the settings. */
  readonly extra: string
  /** `keep-alive` with what is left of the connection's requests, `close`, or silence. */
  readonly connection: string
  readonly now: number
}

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  206: 'Partial Content',
  301: 'Moved Permanently',
  304: 'Not Modified',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  412: 'Precondition Failed',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Long',
  416: 'Requested Range Not Satisfiable',
  417: 'Expectation Failed',
  501: 'Not Implemented',
}

let dateAt = 0
let dateText = ''
function date(now: number): string {
  const second = Math.floor(now / 1000)
  if (second !== dateAt) {
    dateAt = second
    dateText = new Date(now).toUTCString()
  }
  return dateText
}

export function spell(answer: Answer, { server, extra, connection, now }: Manner): Buffer | string {
  const { status, first = '', body, more = '', type, isChunked } = answer
  const length = answer.length ?? (body === undefined ? undefined : body.length)
  const head =
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nDate: ${date(now)}\r\nServer: ${server}\r\n${extra}${first}` +
    (length === undefined || isChunked ? '' : `Content-Length: ${length}\r\n`) +
    more +
    connection +
    (isChunked ? 'Transfer-Encoding: chunked\r\n' : '') +
    (type ? `Content-Type: ${type}\r\n` : '') +
    '\r\n'
  if (!body?.length) return head
  if (isChunked) return `${head}${body.length.toString(16)}\r\n${String(body)}\r\n0\r\n\r\n`
  return typeof body === 'string'
    ? Buffer.from(head + body, 'latin1')
    : Buffer.concat([Buffer.from(head, 'latin1'), body])
}

const ERROR_TYPE = 'text/html; charset=iso-8859-1'

/** The page of an error; `text` is markup. */
export function errorPage(
  status: number,
  text: string,
  at: { server: string; name: string; port: string },
): Answer {
  const heading = REASONS[status]
  const body =
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n' +
    `<html><head>\n<title>${status} ${heading}</title>\n</head><body>\n<h1>${heading}</h1>\n${text}<hr>\n` +
    `<address>${escapeHtml(at.server)} Server at ${escapeHtml(at.name)} Port ${at.port}</address>\n</body></html>\n`
  return { status, body, type: ERROR_TYPE }
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)

export const badRequest = (note = ''): string =>
  `<p>Your browser sent a request that this server could not understand.<br />\n${escapeHtml(note)}</p>\n`
