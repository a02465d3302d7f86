// nginx's own pages for errors and redirects.
import type { RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import { gzipPage, isGzipped } from './gzip.ts'
import { reasonOf } from './response.ts'

/** Error pages are so long only for these browsers. */
const PADDED_AGENTS = /MSIE \d|Chrome\//
const PADDING = '<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n'.repeat(6)
const LARGE_HEADER_STATUS = 494
const PLAIN_REQUEST_STATUS = 497

type PageRequest = Pick<RequestHead, 'method' | 'headers' | 'version'>

export function errorPage(status: number, asking: PageRequest, server: string): HttpResponse {
  const shown = status === LARGE_HEADER_STATUS || status === PLAIN_REQUEST_STATUS ? 400 : status
  const body = pageText(status, shown, server) + (isPadded(asking, shown) ? PADDING : '')
  const page = { status: shown, type: 'text/html' }
  const isCompressed = (shown === 403 || shown === 404) && isGzipped(asking)
  if (isCompressed) {
    const fieldsAfter = 'Content-Encoding: gzip\r\n'
    if (asking.method === 'HEAD') return { ...page, fieldsAfter }
    return { ...page, fieldsAfter, body: gzipPage(body), isChunked: true }
  }
  return asking.method === 'HEAD' ? { ...page, length: body.length } : { ...page, body }
}

const isPadded = ({ headers, version }: PageRequest, status: number): boolean =>
  status >= 400 && version !== '0.9' && PADDED_AGENTS.test(headers.get('user-agent') ?? '')

function pageText(status: number, shown: number, server: string): string {
  const reason = `${shown} ${reasonOf(shown)}`
  const [title, more] =
    status === LARGE_HEADER_STATUS
      ? ['400 Request Header Or Cookie Too Large', '<center>Request Header Or Cookie Too Large</center>\r\n']
      : status === PLAIN_REQUEST_STATUS
        ? [
            '400 The plain HTTP request was sent to HTTPS port',
            '<center>The plain HTTP request was sent to HTTPS port</center>\r\n',
          ]
        : [reason, '']
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${reason}</h1></center>\r\n${more}<hr><center>${server}</center>\r\n</body>\r\n</html>\r\n`
}
