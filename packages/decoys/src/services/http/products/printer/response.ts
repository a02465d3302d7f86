// Responses as the small server of a printer writes them: no date, no validators, and the connection closes.
import { joined, type Envelope, type HttpResponse } from '../../protocol/response.ts'
import { USUAL_REASONS } from '../../protocol/reason-phrases.ts'
import type { Connection } from '../../protocol/web-server.ts'

export function errorPage(status: number): HttpResponse {
  const title = `${status} ${USUAL_REASONS[status]}`
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
    `HTTP/1.${isVersion10 ? 0 : 1} ${status} ${USUAL_REASONS[status]}\r\n` +
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
