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
  /** The chunks of a body that leaves in several of them. */
  readonly chunkLengths?: readonly number[]
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

/** Head and body as they are sent; a chunked body is one chunk, unless it says otherwise. */
export function joined(head: string, { body, isChunked, chunkLengths }: HttpResponse): Buffer | string {
  if (!body?.length) return head
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  const sent = isChunked ? inChunks(bytes, chunkLengths ?? [bytes.length]) : [bytes]
  return Buffer.concat([Buffer.from(head, 'latin1'), ...sent])
}

function inChunks(body: Buffer, lengths: readonly number[]): Buffer[] {
  let from = 0
  const chunks = lengths.flatMap((length) => {
    const chunk = body.subarray(from, (from += length))
    return [Buffer.from(`${length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]
  })
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)
