// Responses as the small server of a printer writes them: no date, no validators, and the connection closes.
import { joined, type Envelope, type HttpResponse } from '../../response.ts'
import type { Connection } from '../web-server.ts'

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  301: 'Moved Permanently',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  408: 'Request Timeout',
  411: 'Length Required',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
  501: 'Not Implemented',
  505: 'HTTP Version Not Supported',
}

export function errorPage(status: number): HttpResponse {
  const title = `${status} ${REASONS[status]}`
  return {
    status,
    type: 'text/html',
    body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\r\n`,
  }
}

/** `fieldsBefore`: Location, or what asks for name and password. */
export function serialize(
  response: HttpResponse,
  { server, extraFields, connection }: Envelope,
): Buffer | string {
  const { status, type, fieldsBefore = '', body, isVersion10 = false } = response
  return joined(
    `HTTP/1.${isVersion10 ? 0 : 1} ${status} ${REASONS[status]}\r\n` +
      (type === undefined ? '' : 'Cache-Control: no-cache\r\n') +
      `Content-Length: ${response.length ?? body?.length ?? 0}\r\n` +
      (type === undefined ? '' : `Content-Type: ${type}\r\nContent-Language: en\r\n`) +
      connection +
      fieldsBefore +
      `Server: ${server}\r\n${extraFields}\r\n`,
    response,
  )
}

export const connection = (): Connection => ({ closes: true, fields: 'Connection: close\r\n' })
