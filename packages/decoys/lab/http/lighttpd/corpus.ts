// The probes that Debian's lighttpd, serving the skin `router`, and our decoy answer alike.
import type { Probe } from '../../../test/probe.ts'
import { probes as common } from '../probes.ts'

export const concurrency = 8

const ETAG = '"2381291474"'
const request = (method: string, path: string, ...lines: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: router', ...lines, '', ''].join('\r\n')

const FIELDS = [
  'If-Modified-Since: Wed, 05 Nov 2025 07:42:36 GMT',
  'If-Modified-Since: Wed, 05 Nov 2025 07:42:35 GMT',
  `If-None-Match: ${ETAG}`,
  `If-None-Match: "a", W/${ETAG}`,
  `Range: bytes=0-3\r\nIf-Range: ${ETAG}`,
  `Range: bytes=0-3\r\nIf-Range: W/${ETAG}`,
  'Range: bytes=0-1,200-201',
  'Range: bytes=200-201,0-1,82-83',
  'Range: bytes=0-1,81-82',
  'Range: bytes=-5,0-1',
  'Range: bytes=1-2x,5-6',
  'Connection: keep-alive, close',
  'Transfer-Encoding: gzip',
  'Content-Length: 0',
]
const QUERIES = [
  'a b',
  '%zz',
  '%26',
  '%3f%23%3d',
  '%7e%2d',
  '^`{|}\\[]',
  '"<>',
  'a+b',
  '%c3%bc',
  'x#y',
  '%0a',
]

export const probes: readonly Probe[] = [
  ...common,
  ...['/', '/none', '/css', '/login.html', '/css/style.css'].flatMap((path) =>
    FIELDS.map((field): Probe => ({ name: `${path} ${field}`, send: [request('GET', path, field)] })),
  ),
  ...['/login.html', '/', '/none', '/css', '/robots.txt/x'].flatMap((path): readonly Probe[] => [
    { name: `post ${path}`, send: [`${request('POST', path, 'Content-Length: 21')}username=a&password=b`] },
    { name: `post nothing ${path}`, send: [request('POST', path, 'Content-Length: 0')] },
    { name: `bad chunk ${path}`, send: [`${request('POST', path, 'Transfer-Encoding: chunked')}x\r\n`] },
    {
      name: `length and chunks ${path}`,
      send: [request('POST', path, 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    },
  ]),
  ...QUERIES.map((query): Probe => ({ name: `query ${query}`, send: [request('GET', `/css?${query}`)] })),
  {
    name: 'a blank line before the next',
    send: [`${request('GET', '/none')}\r\n${request('GET', '/none')}`],
  },
  {
    name: 'two blank lines before the next',
    send: [`${request('GET', '/none')}\r\n\r\n${request('GET', '/none')}`],
  },
]
