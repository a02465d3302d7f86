// The probes that Debian's Apache, serving the files of the skin `nas`, and our decoy answer alike.
import type { Probe } from '../../../test/probe.ts'
import { probes as common } from '../probes.ts'

export const concurrency = 8

const request = (line: string, ...fields: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: nas', ...fields, '', ''].join('\r\n')
const times = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join()

const RANGES = [
  ...[
    '0-0, 2-2',
    '0-0,0-0',
    '0-0,1-1',
    '1-1,0-0',
    '0-5,3-8',
    '3-8,0-5',
    '0-1,3-4,2-2',
    '0-0,',
    ',0-0',
    '0-0,,2-2',
    '0-1 ',
    '+0-1',
    '0--1',
  ],
  ...['0-600,500-900,5-9', '-5,-10', '99999-,0-0', '0-9999999999999999', '-9223372036854775808', '1-0,0-0'],
  times(12, (at) => `${at * 3}-${at * 3}`),
  times(21, () => '0-0'),
  times(22, () => '0-0'),
  times(22, () => '0-'),
  times(22, (at) => `${100 - at}-${100 - at}`),
]
const FIELDS = [
  ...RANGES.flatMap((ranges) => [
    `Range: bytes=${ranges}`,
    `Range: bytes=${ranges}\r\nAccept-Encoding: gzip`,
  ]),
  'Range: Bytes=0-0',
  'Range: bytes=0-3\r\nIf-Range: "3be-64cbb5ca24e40-gzip"\r\nAccept-Encoding: gzip',
  'Range: bytes=0-3\r\nIf-Range: "x"\r\nAccept-Encoding: gzip',
  ...[
    'Thu, 01 Jan 1970 00:00:00 GMT',
    '1971-01-01',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun Nov  6 08:49:37 1994',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    '0',
  ].map((date) => `If-Unmodified-Since: ${date}`),
  'If-None-Match: *\r\nIf-Modified-Since: x',
  'If-Match: *, "b"',
  ...['x-gzip', 'a gzip', 'gzip x', 'gzip;q=0,gzip', 'gzip;Q=0'].map(
    (codings) => `Accept-Encoding: ${codings}`,
  ),
  'Expect:',
]
const PATHS = [
  '/.htaccess/',
  '/.htaccess/x',
  '/x/.htaccess',
  '/icons/.htaccess',
  '/cgi-bin/.htaccess',
  '/server-status/',
  '/server-status/x',
  '/server-statusx',
  '/a.bak',
  '/a.gz',
  `/x/${'a'.repeat(256)}`,
  `/${'a'.repeat(256)}/x`,
  '/a'.repeat(3_000),
]
const TARGETS = [
  'http://a:99999/',
  'http://a:65536/nope',
  'http://a?x',
  'http:',
  'http:/nope',
  'http://u:p@a/',
  'http://a:0/nope',
]
const PARTS = [
  'X y: z\r\nA: b\r\n',
  'X y: z\r\n',
  ' z\r\n',
  'Host: a\n',
  'Host: a\nX',
  'Host: a\r\n\n',
  'X: \x01\r\nY: z\r\n',
  'Host: a\r\nHost: b\r\nX: y\r\n',
]
const CHUNKS = [
  '3\r\nabcx',
  '3\r\nabcx\r\n',
  '3\r\nabc\n',
  'x',
  'x\r\n',
  '00000000000000000003\r\nabc\r\n0\r\n\r\n',
  '7fffffffffffffff\r\nabc',
  '8000000000000000\r\n',
  '100001\r\nabc',
  `3${' '.repeat(10)}\r\nabc\r\n0\r\n\r\n`,
  `3${' '.repeat(11)}\r\n`,
  '3;\x01\r\n',
  `3;${'x'.repeat(9_000)}\r\n`,
  '0\r\nX: y\n',
  '0\r\n\n',
  `0\r\n${'X: y\r\n'.repeat(101)}\r\n`,
  `0\r\nX: ${'y'.repeat(8_190)}\r\n\r\n`,
]

export const probes: readonly Probe[] = [
  ...common,
  ...FIELDS.flatMap((fields) =>
    ['GET', 'HEAD'].map((method): Probe => ({
      name: `${method} / ${fields}`,
      send: [request(`${method} /`, fields)],
    })),
  ),
  ...PATHS.flatMap((path) =>
    ['GET', 'OPTIONS'].map((method): Probe => ({
      name: `${method} ${path}`,
      send: [request(`${method} ${path}`)],
    })),
  ),
  ...TARGETS.map((target): Probe => ({ name: `target ${target}`, send: [request(`GET ${target}`)] })),
  ...PARTS.map((part): Probe => ({ name: `a part of a head: ${part}`, send: [`GET / HTTP/1.1\r\n${part}`] })),
  ...CHUNKS.map((chunk): Probe => ({
    name: `chunk ${chunk}`,
    send: [request('POST /', 'Transfer-Encoding: chunked') + chunk],
  })),
  { name: 'HTTP/0.9 with a URL', send: ['GET http://a/nope\r\n'] },
  { name: 'a line feed before the next', send: [`${request('GET /nope')}\n${request('GET /nope')}`] },
]
