// What HTTP.sys, the driver below IIS, answers by itself: requests that it cannot read never reach IIS.
import type { HttpResponse } from '../../protocol/response.ts'

const TEXTS = {
  'bad-request': [400, 'Bad Request', 'The request is badly formed.'],
  verb: [400, 'Bad Request - Invalid Verb', 'The request verb is invalid.'],
  url: [400, 'Bad Request - Invalid URL', 'The request URL is invalid.'],
  header: [400, 'Bad Request - Invalid Header', 'The request has an invalid header name.'],
  hostname: [400, 'Bad Request - Invalid Hostname', 'The request hostname is invalid.'],
  'request-length': [400, 'Bad Request - Request Too Long', 'The size of the request headers is too long.'],
  'length-required': [411, 'Length Required', 'The request must be chunked or have a content length.'],
  'not-implemented': [501, 'Not Implemented', 'The request transfer encoding is not supported.'],
  version: [505, 'HTTP Version Not Supported', 'The HTTP version is not supported.'],
} as const satisfies Record<string, readonly [status: number, heading: string, sentence: string]>

/** The reason phrases of HTTPERR (Error logging in HTTP APIs). */
export type HttpSysError = keyof typeof TEXTS

export const isHttpSysError = (note: string | undefined): note is HttpSysError =>
  note !== undefined && Object.hasOwn(TEXTS, note)

export const statusOfError = (error: HttpSysError): number => TEXTS[error][0]

/** `hasNoExtraFields` marks it: the Server field is that of HTTP.sys, and IIS adds nothing. */
export function httpSysPage(error: HttpSysError): HttpResponse {
  const [status, heading, sentence] = TEXTS[error]
  const [title] = heading.split(' - ')
  return {
    status,
    type: 'text/html; charset=us-ascii',
    hasNoExtraFields: true,
    body:
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN""http://www.w3.org/TR/html4/strict.dtd">\r\n' +
      `<HTML><HEAD><TITLE>${title}</TITLE>\r\n` +
      '<META HTTP-EQUIV="Content-Type" Content="text/html; charset=us-ascii"></HEAD>\r\n' +
      `<BODY><h2>${heading}</h2>\r\n<hr><p>HTTP Error ${status}. ${sentence}</p>\r\n</BODY></HTML>\r\n`,
  }
}
