// Squid's responses with an error page.
import { httpDate } from '../../../http/protocol/response.ts'
import type { Fields } from './fields.ts'
import { page, type Facts } from './pages.ts'
import { REALM, REASONS } from './profile.ts'
import type { PageName } from './words.data.ts'

export interface Server {
  readonly banner: string
  readonly hostName: string
  readonly port: number
}

interface ErrorResponse {
  readonly status: number
  readonly name: PageName
  readonly facts: Facts
  readonly fields: Fields
  readonly isHead: boolean
  readonly isKept: boolean
  readonly now: number
}

/** The forms of English that squid-langpack has. */
const ENGLISH = /^en(?:-(?:au|bz|ca|cn|gb|ie|in|jm|nz|ph|sg|tt|uk|us|za|zw))?$/

/** The first of them that the client asks for. */
const asked = ({ byName }: Fields): string | undefined =>
  (byName.get('accept-language') ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';', 1)[0]!.trim())
    .find((name) => ENGLISH.test(name))

export function response(
  { status, name, facts, fields, isHead, isKept, now }: ErrorResponse,
  { banner, hostName, port }: Server,
): Buffer {
  const date = httpDate(now)
  const language = asked(fields)
  const text = page(name, facts, `${date} by ${hostName} (${banner})`, language !== undefined)
  const body = Buffer.from(text, 'latin1')
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    `Server: ${banner}`,
    'Mime-Version: 1.0',
    `Date: ${date}`,
    'Content-Type: text/html;charset=utf-8',
    `Content-Length: ${body.length}`,
    `X-Squid-Error: ${name} 0`,
    'Vary: Accept-Language',
    `Content-Language: ${language ?? 'en'}`,
    ...(status === 407 ? [`Proxy-Authenticate: Basic realm="${REALM}"`] : []),
    `X-Cache: MISS from ${hostName}`,
    `X-Cache-Lookup: NONE from ${hostName}:${port}`,
    `Via: 1.1 ${hostName} (${banner})`,
    `Connection: ${isKept ? 'keep-alive' : 'close'}`,
    '\r\n',
  ].join('\r\n')
  return isHead ? Buffer.from(head, 'latin1') : Buffer.concat([Buffer.from(head, 'latin1'), body])
}
