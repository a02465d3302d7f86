// Squid 5.7 of Debian 12 with `auth_param basic` and `http_access deny !auth`: its limits and delays.

/** request_header_max_size. */
export const MAX_HEAD_BYTES = 65_536
/** request_start_timeout and request_timeout, from the connect on, whatever comes of a head. */
export const REQUEST_MS = 300_000
/** client_idle_pconn_timeout, from an answer on; what comes of a body does not move it. */
export const IDLE_MS = 120_000
/** auth_param basic realm. */
export const REALM = 'Squid proxy-caching web server'

export const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  407: 'Proxy Authentication Required',
  411: 'Length Required',
  414: 'URI Too Long',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
  505: 'HTTP Version not supported',
}
