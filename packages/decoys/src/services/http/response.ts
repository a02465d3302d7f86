// A response before it is serialized, and what all servers write alike.

/** Without `body` and `length` it has no Content-Length (304, errors to HEAD). */
export interface HttpResponse {
  readonly status: number
  /** Two groups of header lines; each server has its places for them. */
  readonly fieldsBefore?: string
  readonly fieldsAfter?: string
  readonly body?: Buffer | string
  /** The length of a body that is announced but not sent (HEAD). */
  readonly length?: number
  readonly type?: string
  readonly isChunked?: boolean
  /** False: no Content-Length, the close ends the body. */
  readonly hasLength?: boolean
  /** `100 Continue` is sent first. */
  readonly isContinued?: boolean
  /** The connection closes behind it, whatever the head says. */
  readonly isLast?: boolean
  /** The status line says HTTP/1.0, where a server answers with the client's version. */
  readonly isVersion10?: boolean
  /** It has none of the header lines of `http.headers`. */
  readonly hasNoExtraFields?: boolean
}

/** What the connection and the settings add to every response. */
export interface Envelope {
  /** The Server field. */
  readonly server: string
  /** Header lines of `http.headers`. */
  readonly extraFields: string
  /** The lines about the connection, or empty. */
  readonly connection: string
  readonly now: number
}

export const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

const lastDate = { second: 0, text: '' }

/** The Date field; formats each second once. */
export function httpDate(now: number): string {
  const second = Math.floor(now / 1000)
  if (second !== lastDate.second) Object.assign(lastDate, { second, text: new Date(now).toUTCString() })
  return lastDate.text
}

/** Head and body as they are sent; a chunked body is one chunk. */
export function joined(head: string, { body, isChunked }: HttpResponse): Buffer | string {
  if (!body?.length) return head
  const [before, after] = isChunked ? [`${body.length.toString(16)}\r\n`, '\r\n0\r\n\r\n'] : ['', '']
  if (typeof body === 'string') return Buffer.from(head + before + body + after, 'latin1')
  return Buffer.concat([Buffer.from(head + before, 'latin1'), body, Buffer.from(after, 'latin1')])
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)
