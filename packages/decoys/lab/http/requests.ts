// What a client may send to a web server, drawn at random.
import type { Endurance } from '../../test/endurance.ts'
import { fragment, type Draw } from '../../test/draw.ts'
import type { FreshProbe, Grammar, Mask } from '../../test/fresh.ts'
import { observe } from '../../test/observe.ts'

/** What requests are drawn from besides what is the same for all servers. */
export interface Vocabulary {
  readonly paths: readonly string[]
  readonly fields: readonly (readonly [string, readonly string[]])[]
}

const SILENCE_MS = 200

const METHODS =
  `GET GET GET GET GET HEAD HEAD POST POST OPTIONS PUT DELETE TRACE CONNECT PATCH PROPFIND MKCOL SEARCH FOO get`.split(
    ' ',
  )
export const PATHS =
  `/ / / /index.html /css /css/ /css/login.css /images /images/ /images/logo.svg /robots.txt /favicon.ico /nope /nope/ /index.html/x
/.htaccess /.env /.git/HEAD /icons /icons/ /icons/small /icons/small/ /cgi-bin/ /cgi-bin/x /server-status /server-info /manual /javascript
/../x /css/../robots.txt /%2e%2e/x /./robots.txt //robots.txt /css//login.css /a%2fb /%00 /%zz /index%2ehtml /robots.txt?x=1 /?a=b&c /<x> /"x" /~root
/.htaccess/x /x/.htaccess /server-status/x /%c3%bc /%c0%ae /ü http://a?x http:/nope http://a:99999/ /index.html. /css/login.css/ /INDEX.HTML * http://a/ http://127.0.0.1/robots.txt https://b:8080/nope index.html /\\x /wp-login.php /phpmyadmin`.split(
    /\s+/,
  )
const HOSTS = [
  '127.0.0.1',
  'localhost',
  'nas.example.org',
  'nas.example.org:8080',
  'A.B',
  '[::1]',
  '[::1]:81',
  '[::1',
  '::1',
  '',
  ' ',
  'a b',
  'a/b',
  'a:b',
  'a:',
  'a:0',
  'a:65535',
  'a:65536',
  'a:080',
  'a:-1',
  '1.2.3.4.5',
  '1.2.3',
  '256.1.1.1',
  '.a',
  'a.',
  'a..b',
  '.',
  '..',
  'a_b',
  '-a',
  'a@b',
  'a,b',
  'a"b',
  'a<b',
  'ü',
  '%41',
  'a%',
  'a\\b',
  'a:1:2',
  '[a]',
  '[1.2.3.4]',
  '[::1]x',
  'a?b',
  'a#b',
  "a'b",
  'a=b',
  'a*',
]
const RANGES = [
  'bytes=0-0',
  'bytes=0-9',
  'bytes=-5',
  'bytes=5-',
  'bytes=0-',
  'bytes=900-2000',
  'bytes=5000-',
  'bytes=-0',
  'bytes=5-2',
  'bytes=a-b',
  'bytes=',
  'bytes=-',
  'bytes',
  'bytes=0-0,2-3',
  'bytes=0-5,3-8',
  'bytes=0-5,0-5',
  'bytes=0-0,-1',
  'bytes=3-4,0-1',
  'bytes=0-1, 3-4',
  'bytes=0-1,,3-4',
  'bytes=0-1,x',
  'bytes=5000-,0-1',
  'lines=0-1',
  'BYTES=0-1',
  'bytes= 0-1',
  'bytes=0-1,2-3',
  'bytes=0-99999999999999999999',
  'Bytes=0-0',
  'bytes=0-0,',
  'bytes=0-1,3-4,2-2',
  'bytes=5-9,0-6',
  `bytes=${'0-0,'.repeat(12)}0-0`,
  `bytes=${'0-,'.repeat(22)}0-`,
]
export const FIELDS: Vocabulary['fields'] = [
  ['Connection', ['close', 'keep-alive', 'Keep-Alive', 'close, keep-alive', 'Upgrade', 'x', '']],
  [
    'Accept-Encoding',
    [
      'gzip',
      'gzip, deflate, br',
      'gzip;q=0',
      'gzip;q=0.5',
      'gzip; q=0',
      'deflate',
      'identity',
      '*',
      'GZIP',
      'x-gzip',
      'gzip;q=0.0',
      'identity, gzip',
      'br;q=1, gzip',
      'gzip;q=0, gzip',
      'br gzip',
      '',
    ],
  ],
  ['Range', RANGES],
  [
    'If-Modified-Since',
    [
      'Wed, 11 Mar 2026 08:24:17 GMT',
      'Tue, 10 Mar 2026 08:24:17 GMT',
      'Thu, 12 Mar 2026 08:24:17 GMT',
      'x',
      'Wed Mar 11 08:24:17 2026',
      'Wednesday, 11-Mar-26 08:24:17 GMT',
    ],
  ],
  [
    'If-Unmodified-Since',
    ['Thu, 01 Jan 1970 00:00:00 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT', '2026-01-01', 'x'],
  ],
  ['If-None-Match', ['*', '"x"', 'W/"x"', '']],
  ['If-Match', ['*', '"x"', '']],
  ['If-Range', ['"x"', 'Wed, 11 Mar 2026 08:24:17 GMT', 'Tue, 10 Mar 2026 08:24:17 GMT']],
  ['Expect', ['100-continue', 'x', '100-Continue', '']],
  ['User-Agent', ['curl/7.88.1', 'sqlmap/1.7', '']],
  ['Content-Type', ['application/x-www-form-urlencoded', 'application/json', 'x']],
  ['Content-Length', ['0', '5', 'x', '-1', '+5', '5, 5', '0005', '99999999999999999999', ' 5', '']],
  ['Transfer-Encoding', ['chunked', 'identity', 'gzip, chunked', 'Chunked', 'x', 'chunked, gzip', '']],
  ['Upgrade', ['h2c', 'websocket']],
  ['X-Forwarded-For', ['1.2.3.4']],
  ['Authorization', ['Basic YTpi', 'Basic', 'Digest x']],
  ['Cookie', ['a=b']],
  ['Max-Forwards', ['0', '1']],
]
const ODD_LINES = [
  'Foo',
  'Foo : bar',
  ': bar',
  ' folded',
  'F(o: a',
  'Foo: a\x01b',
  'Foo: a\x00b',
  'Foo: \xff',
  'Foo: a\rb',
  'Foo:',
  'Foo:bar',
  'Foo:\tbar\t',
  '\tx',
  'Fo\xe9: x',
]
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'http/1.1',
  'HTTP/1.11',
  'HTTP/1',
  'HTTP/',
  'X',
  'HTTP/1.1 ',
  'HTTP/1.1 x',
]
const CHUNKS = [
  '0\r\n\r\n',
  '5\r\na=b&c\r\n0\r\n\r\n',
  '5;x=y\r\na=b&c\r\n0\r\n\r\n',
  '5\r\na=b&c\r\n0\r\nX: y\r\n\r\n',
  'x\r\n',
  '-1\r\n',
  '5\r\nabcdefgh\r\n',
  'g\r\n\r\n',
  '5 \r\na=b&c\r\n0\r\n\r\n',
  '05\r\na=b&c\r\n0\r\n\r\n',
  '5\na=b&c\n0\n\n',
  'fffffffffffffffff\r\n',
  '\r\n',
  '5\r\na=b',
  '0x5\r\na=b&c\r\n0\r\n\r\n',
  '5\r\na=b&c0\r\n\r\n',
  '1\r\na\r\n1\r\nb\r\n0\r\n\r\n',
  '0\r\nbad\r\n\r\n',
  '5\r\na=b&cx',
  'ffffffff\r\na=b',
  '0000000000000000005\r\na=b&c\r\n0\r\n\r\n',
  '5;\x01\r\na=b&c\r\n0\r\n\r\n',
  '0\r\nX: y\n',
]

const linesOf = (draw: Draw, { fields: known }: Vocabulary, withHost: boolean): string[] => {
  const fields = draw.many(0, draw.chance(0.5) ? 1 : 4, () => {
    const [name, values] = draw.pick(known)
    return `${draw.chance(0.9) ? name : name.toLowerCase()}: ${draw.pick(values)}`
  })
  const host = withHost
    ? [`Host: ${draw.chance(0.75) ? draw.pick(HOSTS.slice(0, 5)) : draw.pick(HOSTS)}`]
    : []
  const odd = draw.chance(0.06) ? [draw.pick(ODD_LINES)] : []
  return [...host, ...fields, ...odd]
}

function request(draw: Draw, vocabulary: Vocabulary): string {
  const method = draw.pick(METHODS)
  const path = draw.chance(0.97)
    ? draw.pick(vocabulary.paths)
    : `/${'a'.repeat(draw.pick([254, 255, 256, 8_170, 8_176, 8_177, 8_178, 8_190]))}`
  const first = `${method} ${path} ${draw.pick(VERSIONS)}`
  const lines = linesOf(draw, vocabulary, draw.chance(0.95))
  const padding = draw.chance(0.02)
    ? Array.from({ length: draw.pick([96, 97, 98, 99, 100, 101]) }, () => 'A: b')
    : []
  const long = draw.chance(0.02)
    ? [`L: ${'x'.repeat(draw.pick([8_185, 8_186, 8_187, 8_188, 8_189, 8_190]))}`]
    : []
  const body =
    /^(POST|PUT|FOO|PATCH)$/.test(method) || draw.chance(0.05) ? bodyOf(draw) : { lines: [], text: '' }
  const newline = draw.chance(0.98) ? '\r\n' : '\n'
  return [first, ...lines, ...padding, ...long, ...body.lines, '', ''].join(newline) + body.text
}

function bodyOf(draw: Draw): { lines: string[]; text: string } {
  const kind = draw.int(4)
  if (kind === 0) return { lines: [], text: '' }
  if (kind === 1) return { lines: ['Transfer-Encoding: chunked'], text: draw.pick(CHUNKS) }
  const text = draw.pick(['', 'a=b', 'username=admin&password=x', '{"a":1}', 'x'.repeat(3_000)])
  return { lines: [`Content-Length: ${text.length}`], text }
}

const junk = (draw: Draw): string =>
  draw.pick([
    draw.bytes(1 + draw.int(100)),
    `${draw.bytes(1 + draw.int(20))}\r\n\r\n`,
    'GET /\r\n',
    'POST /\r\n',
    'GET / HTTP/1.1\r\nX y: z\r\nHost: a\r\n',
    'GET / HTTP/1.1\r\nHost: a\n',
    'GET\r\n\r\n',
    '\r\n',
    ' \r\n\r\n',
    'HELP\r\n',
    'GET  / HTTP/1.1\r\nHost: a\r\n\r\n',
    'SSH-2.0-x\r\n',
    '*1\r\n$4\r\nPING\r\n',
    '\x16\x03\x01\x00\xa5\x01',
  ])

export const requestGrammar = (masks: readonly Mask[], vocabulary: Vocabulary): Grammar => ({
  masks,
  concurrency: 6,
  draw(draw) {
    const send = drawSegments(draw, vocabulary)
    if (draw.chance(0.15)) return cutOff(draw, send)
    return {
      name: shownSegments(send),
      ask: (server, patience) => observe(server, send, SILENCE_MS * patience),
    }
  },
})

/** The client ends its side behind these segments, or in the middle of the last one. */
function cutOff(draw: Draw, segments: readonly string[]): FreshProbe {
  const last = segments.at(-1) ?? ''
  const send = draw.chance(0.3) ? segments : [...segments.slice(0, -1), last.slice(0, draw.int(last.length))]
  return {
    name: `${shownSegments(send)} end`,
    ask: (server, patience) => observe(server, send, SILENCE_MS * patience, 1, true),
  }
}

export const DATE_MASK: Mask = {
  name: 'Date',
  hide: (text) => text.replace(/^Date: .*\r\n/gm, 'Date: D\r\n'),
}
export const ADDRESS_MASK: Mask = {
  name: 'own address',
  hide: (text) => text.replace(/127\.0\.0\.2/g, '127.0.0.1'),
}

/** `login`: a path that takes a body. */
export const enduranceOf = (login: string): Endurance => ({
  request: 'GET /none HTTP/1.1\r\nHost: a\r\n\r\n',
  drips: [
    { name: 'a head', first: '', rest: `GET / HTTP/1.1\r\nHost: ${'a'.repeat(100)}` },
    { name: 'fields', first: 'GET / HTTP/1.1\r\n', rest: `Host: ${'a'.repeat(100)}` },
    {
      name: 'a body',
      first: `POST ${login} HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n`,
      rest: 'a'.repeat(100),
    },
    {
      name: 'the next request',
      first: 'GET /none HTTP/1.1\r\nHost: a\r\n\r\n',
      rest: 'GET / HTTP/1.1\r\n\r\n',
    },
  ],
  hasHalfCrowd: true,
})

/** One to twelve requests, or junk, in one or more segments. */
export function drawSegments(draw: Draw, vocabulary: Vocabulary): string[] {
  const text = draw.chance(0.06)
    ? junk(draw)
    : draw
        .many(1, draw.chance(0.75) ? 1 : draw.chance(0.8) ? 3 : 12, () => request(draw, vocabulary))
        .join('')
  return draw.chance(0.2) ? fragment(draw, text) : [text]
}

export function shownSegments(send: readonly string[]): string {
  const shown = JSON.stringify(send)
  return shown.length > 600 ? `${shown.slice(0, 300)}…${shown.slice(-300)}` : shown
}
