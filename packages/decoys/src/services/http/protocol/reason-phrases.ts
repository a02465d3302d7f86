// What stands behind the status of an answer: the same with most servers.

export type Reasons = Readonly<Record<number, string>>

export const USUAL_REASONS: Reasons = {
  200: 'OK',
  206: 'Partial Content',
  301: 'Moved Permanently',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
  416: 'Requested Range Not Satisfiable',
  501: 'Not Implemented',
  505: 'HTTP Version Not Supported',
}
