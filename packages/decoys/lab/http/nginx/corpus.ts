// The probes that Debian's nginx, serving the skin `portal`, and our decoy answer alike.
import type { Probe } from '../../../test/probe.ts'
import { probes as common } from '../probes.ts'

export const concurrency = 8

const ETAG = '"69943588-46a"'
const CHROME = 'User-Agent: Mozilla/5.0 (KHTML, like Gecko) Chrome/120.0 Safari/537.36'

const get = (path: string, ...fields: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: portal', ...fields, '', ''].join('\r\n')
const post = (path: string, body: string, ...fields: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: portal', ...fields, '', body].join('\r\n')

const CONDITIONS = [
  'If-Modified-Since: Tue, 17 Feb 2026 09:31:52 GMT',
  'If-Modified-Since: Tue, 17 Feb 2026 09:31:53 GMT',
  'If-Unmodified-Since: Tue, 17 Feb 2026 09:31:51 GMT',
  `If-None-Match: ${ETAG}`,
  `If-None-Match: W/${ETAG}`,
  `If-Match: W/${ETAG}`,
  `If-Match: "a", ${ETAG}`,
  `Range: bytes=0-3\r\nIf-Range: ${ETAG}`,
  `Range: bytes=0-3\r\nIf-Range: "x"`,
  'Range: bytes=0-3,5-6',
  'Range: bytes=0-,0-',
  'Range: bytes=5000-',
  'Range: bytes=-0',
  'Accept-Encoding: gzip',
  'Accept-Encoding: gzip;q=0',
  'Accept-Encoding: gzip\r\nRange: bytes=0-3',
  'Accept-Encoding: gzip\r\nVia: 1.1 proxy',
  CHROME,
  `${CHROME}\r\nAccept-Encoding: gzip`,
  'Expect: 100-continue',
]

export const probes: readonly Probe[] = [
  ...common,
  ...['/', '/none', '/css', '/css/', '/login', '/css/portal.css'].flatMap((path) =>
    CONDITIONS.map((fields): Probe => ({ name: `${path} ${fields}`, send: [get(path, fields)] })),
  ),
  ...['/login', '/', '/none', '/css'].flatMap((path): readonly Probe[] => [
    {
      name: `login ${path}`,
      send: [post(path, 'username=a&password=b', 'Content-Length: 21') + get('/robots.txt')],
    },
    {
      name: `login in chunks ${path}`,
      send: [post(path, '3\r\na=b\r\n0\r\n\r\n', 'Transfer-Encoding: chunked')],
    },
    { name: `bad chunk ${path}`, send: [post(path, 'x\r\n', 'Transfer-Encoding: chunked')] },
    { name: `too much ${path}`, send: [post(path, '', 'Content-Length: 1048577')] },
    {
      name: `compressed login ${path}`,
      send: [post(path, 'a=b', 'Content-Length: 3', 'Accept-Encoding: gzip')],
    },
  ]),
]
