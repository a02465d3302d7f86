// IIS 10 by its documents: no real server was there to compare with. Each claim names its source.
import { describe, expect, test } from 'vitest'
import { replay } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { webSession } from '../../servers.ts'
import { loadSkin } from '../../load-skin.ts'
import { iisFiles } from './files.ts'

const startSession = webSession({ banner: '', skin: loadSkin('iis-default'), headers: {} })

const ask = (...send: string[]): string => replay({ name: '', send }, startSession).text
const request = (line: string, ...fields: string[]): string =>
  `${line} HTTP/1.1\r\nHost: win\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`
const get = (path: string, ...fields: string[]): string => request(`GET ${path}`, ...fields)

const statusOf = (text: string): string => /^HTTP\/1\.1 (\d{3} [^\r]*)/.exec(text)?.[1] ?? text.slice(0, 40)
const headOf = (text: string): string[] => text.split('\r\n\r\n', 1)[0]!.split('\r\n').slice(1)
const namesOf = (text: string): string[] => headOf(text).map((line) => line.slice(0, line.indexOf(':')))
const fieldOf = (text: string, name: string): string | undefined =>
  headOf(text)
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)
const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4)

const ETAG = `"${loadSkin('iis-default').assets.get('/iisstart.htm')!.etag}"`
const MODIFIED = 'Tue, 16 Sep 2025 14:21:08 GMT'

describe('HTTP Server API, HTTP_HEADER_ID: known fields stand by their number, then the others, then those of HTTP.sys', () => {
  const base = ['Last-Modified', 'Accept-Ranges', 'ETag', 'Server', 'X-Powered-By', 'Date']
  test.each([
    ['a page', get('/'), ['Content-Type', ...base, 'Content-Length']],
    ['a page to HEAD', request('HEAD /'), ['Content-Length', 'Content-Type', ...base]],
    [
      'a part of a page',
      get('/', 'Range: bytes=0-9'),
      ['Content-Type', 'Content-Range', ...base, 'Content-Length'],
    ],
    [
      'a page that is known',
      get('/', `If-None-Match: ${ETAG}`),
      ['Accept-Ranges', 'ETag', 'Server', 'X-Powered-By', 'Date'],
    ],
    [
      'OPTIONS',
      request('OPTIONS /'),
      ['Allow', 'Server', 'Public', 'X-Powered-By', 'Date', 'Content-Length'],
    ],
    ['an error', get('/none'), ['Content-Type', 'Server', 'X-Powered-By', 'Date', 'Content-Length']],
    [
      'a verb that a file does not take',
      request('DELETE /'),
      ['Allow', 'Content-Type', 'Server', 'X-Powered-By', 'Date', 'Content-Length'],
    ],
    ['an error of HTTP.sys', get('/%zz'), ['Content-Type', 'Server', 'Date', 'Connection', 'Content-Length']],
    [
      'the last answer of a connection',
      get('/', 'Connection: close'),
      ['Content-Type', ...base, 'Connection', 'Content-Length'],
    ],
  ])('%s', (_, text, names) => expect(namesOf(ask(text))).toEqual(names))
})

test.each([
  ['Tue, 09 Aug 2022 23:00:33 GMT', '2022-08-09T23:00:33.226Z', 'd443acd81:0'],
  ['Fri, 17 Apr 2026 00:26:07 GMT', '2026-04-17T00:26:07.630Z', 'c80cedc1:0'],
  ['Mon, 13 Apr 2026 14:05:52 GMT', '2026-04-13T14:05:52.300Z', 'a34ecbdc1:0'],
])(
  '[MS-DTYP] 2.3.3: an ETag is the FILETIME of the file, lowest byte first, as of servers seen: %s',
  (_, at, end) => {
    // The FILETIME is finer than a millisecond: the lowest bytes are not known.
    expect(iisFiles.etag(0, Date.parse(at)).slice(-end.length)).toBe(end)
  },
)

describe('published headers of servers: lengths of pages', () => {
  test.each([
    ['iisstart.htm', get('/'), '200 OK', 703],
    ['404', get('/none'), '404 Not Found', 1_245],
    ['405', request('DELETE /'), '405 Method Not Allowed', 1_293],
    ['501 to TRACE', request('TRACE /'), '501 Not Implemented', 1_508],
    ['Invalid URL', get('/%zz'), '400 Bad Request', 324],
    ['Invalid Verb', 'helo\r\n', '400 Bad Request', 326],
    ['Invalid Hostname', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request', 334],
    ['Invalid Header', get('/', 'a b: c'), '400 Bad Request', 339],
    ['badly formed', 'GET / HTP\r\n\r\n', '400 Bad Request', 311],
    ['Request Too Long', get('/', `A: ${'x'.repeat(16_400)}`), '400 Bad Request', 346],
    ['Length Required', request('POST /'), '411 Length Required', 344],
    ['an error without a page', get('/', 'Range: bytes=9999-'), '416 Requested Range Not Satisfiable', 54],
  ])('%s', (_, text, status, length) => {
    const answer = ask(text)
    expect(statusOf(answer)).toBe(status)
    expect(fieldOf(answer, 'Content-Length')).toBe(String(length))
    expect(bodyOf(answer)).toHaveLength(length)
  })
})

describe('Error logging in HTTP APIs: what HTTP.sys refuses, it answers itself, and closes', () => {
  test.each([
    ['a verb that is no token', 'G@T / HTTP/1.1\r\nHost: a\r\n\r\n', 'Bad Request - Invalid Verb'],
    [
      'a verb of 256 characters',
      `${'A'.repeat(256)} / HTTP/1.1\r\nHost: a\r\n\r\n`,
      'Bad Request - Invalid Verb',
    ],
    ['a target that is no path', 'GET index.htm HTTP/1.1\r\nHost: a\r\n\r\n', 'Bad Request - Invalid URL'],
    ['a carriage return alone in a field', get('/', 'A: b\rc'), 'Bad Request - Invalid Header'],
    ['a name with a question mark (KB 828726)', get('/', 'a?b: c'), 'Bad Request - Invalid Header'],
    [
      'a host with slashes (Invalid Host header, IIS support blog)',
      'GET / HTTP/1.1\r\nHost: http://a/b\r\n\r\n',
      'Bad Request - Invalid Hostname',
    ],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'Bad Request'],
    ['a length that is no number', get('/', 'Content-Length: x'), 'Bad Request'],
    ['two lengths', get('/', 'Content-Length: 1', 'Content-Length: 2'), 'Bad Request'],
    [
      'length and chunks (RFC 9112, 6.3)',
      get('/', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
      'Bad Request',
    ],
    ['another coding', get('/', 'Transfer-Encoding: gzip'), 'Not Implemented'],
    [
      'another major version (RFC 9110, 15.6.6)',
      'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
      'HTTP Version Not Supported',
    ],
  ])('%s', (_, text, heading) => {
    const { text: answer, closed } = replay({ name: '', send: [text] }, startSession)
    expect(bodyOf(answer)).toContain(`<h2>${heading}</h2>`)
    expect(fieldOf(answer, 'Server')).toBe('Microsoft-HTTPAPI/2.0')
    expect(fieldOf(answer, 'Connection')).toBe('close')
    expect(closed).toBe(true)
  })

  test('header fields may end with a line feed alone (IIS support blog)', () => {
    expect(statusOf(ask('GET / HTTP/1.1\nHost: a\n\n'))).toBe('200 OK')
  })
  test('a client of HTTP/1.0 needs no host (RFC 9112, 3.2)', () => {
    expect(statusOf(ask('GET / HTTP/1.0\r\n\r\n'))).toBe('200 OK')
  })
})

describe('Http.sys registry settings (KB 820129), defaults', () => {
  const refused = '400 Bad Request'
  test.each([
    ['UrlSegmentMaxLength: 260 characters', `/${'a'.repeat(260)}`, '404 Not Found'],
    ['UrlSegmentMaxLength: 261 characters', `/${'a'.repeat(261)}`, refused],
    ['UrlSegmentMaxCount: 255 segments', '/a'.repeat(255), '404 Not Found'],
    ['UrlSegmentMaxCount: 256 segments', '/a'.repeat(256), refused],
    ['PercentUAllowed is on', '/%u0069isstart.htm', '200 OK'],
    ['AllowRestrictedChars is off: %01', '/%01', refused],
    ['AllowRestrictedChars is off: U+0085', '/%c2%85', refused],
    ['EnableNonUTF8 is on', '/%ff', '404 Not Found'],
    ['an escape that is none', '/%4', refused],
    ['above the root', '/../../windows/win.ini', refused],
    ['above the root, escaped', '/%2e%2e/win.ini', refused],
    ['backslashes are slashes', '/..\\..\\windows\\win.ini', refused],
    ['dot segments within the root', '/a/../iisstart.htm', '200 OK'],
  ])('%s', (_, path, status) => expect(statusOf(ask(get(path)))).toBe(status))
})

describe('Request Filtering (requestLimits, hiddenSegments, fileExtensions): a 404 to others', () => {
  test.each([
    ['maxUrl: 4,096 characters', `/${'a'.repeat(200)}/`.repeat(21)],
    ['maxQueryString: 2,048 characters', `/?${'a'.repeat(2_049)}`],
    ['allowDoubleEscaping is off: %252e', '/%252e%252e/win.ini'],
    ['allowDoubleEscaping is off: a plus', '/a+b'],
    ['hiddenSegments: web.config', '/web.config'],
    ['hiddenSegments: bin', '/bin/x.dll'],
    ['hiddenSegments: App_Data', '/App_Data/x.mdb'],
    ['fileExtensions: .config', '/x.config'],
    ['fileExtensions: .cs', '/x.cs'],
    ['a MIME type that is unknown (404.3)', '/x.unknown'],
  ])('%s', (_, path) => expect(statusOf(ask(get(path)))).toBe('404 Not Found'))

  test('maxAllowedContentLength: 30,000,000 bytes', () => {
    expect(statusOf(ask(request('POST /', 'Content-Length: 30000001')))).toBe('404 Not Found')
  })
})

describe('modules of IIS for static files', () => {
  test('names of files have no case on Windows', () => {
    expect(bodyOf(ask(get('/IISSTART.HTM')))).toContain('<title>IIS Windows Server</title>')
  })
  test.each(['/', '/none', '/*~1*'])('OPTIONS of %s lists the verbs (published answers)', (path) => {
    const answer = ask(request(`OPTIONS ${path}`))
    expect(fieldOf(answer, 'Allow')).toBe('OPTIONS, TRACE, GET, HEAD, POST')
    expect(fieldOf(answer, 'Public')).toBe('OPTIONS, TRACE, GET, HEAD, POST')
    expect(fieldOf(answer, 'Content-Length')).toBe('0')
  })
  test('OPTIONS of the server itself, too (RFC 9110, 9.3.7)', () => {
    expect(fieldOf(ask(request('OPTIONS *')), 'Allow')).toContain('TRACE')
  })
  test.each(['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'FOO', 'get'])(
    'a file does not take %s: 405 names what it takes (published answers)',
    (method) => {
      const answer = ask(request(`${method} /iisstart.htm`, 'Content-Length: 0'))
      expect(statusOf(answer)).toBe('405 Method Not Allowed')
      expect(fieldOf(answer, 'Allow')).toBe('GET, HEAD, OPTIONS, TRACE')
    },
  )
  test.each([
    [`If-None-Match: W/${ETAG}`, '304 Not Modified'],
    ['If-None-Match: "x"', '200 OK'],
    [`If-Modified-Since: ${MODIFIED}`, '304 Not Modified'],
    ['If-Modified-Since: Tue, 16 Sep 2025 14:21:07 GMT', '200 OK'],
    ['If-Match: "x"', '412 Precondition Failed'],
    ['If-Unmodified-Since: Tue, 16 Sep 2025 14:21:07 GMT', '412 Precondition Failed'],
  ])('conditions (RFC 9110, 13): %s', (field, status) => expect(statusOf(ask(get('/', field)))).toBe(status))

  test.each([
    ['bytes=0-9', 'bytes 0-9/703'],
    ['bytes=-3', 'bytes 700-702/703'],
    ['bytes=700-9999', 'bytes 700-702/703'],
  ])('ranges (RFC 9110, 14): %s', (range, expected) => {
    const answer = ask(get('/', `Range: ${range}`))
    expect(statusOf(answer)).toBe('206 Partial Content')
    expect(fieldOf(answer, 'Content-Range')).toBe(expected)
  })
  test('several ranges have the boundary that clients of IIS know (bug reports against it)', () => {
    const answer = ask(get('/', 'Range: bytes=0-1,5-6'))
    expect(fieldOf(answer, 'Content-Type')).toBe(
      'multipart/byteranges; boundary=<q1w2e3r4t5y6u7i8o9p0zaxscdvfbgnhmjklkl>',
    )
    expect(bodyOf(answer)).toContain('Content-Range: bytes 5-6/703\r\n\r\n')
  })
  test('a range of a file that has changed is the whole file (RFC 9110, 13.1.5)', () => {
    expect(statusOf(ask(get('/', 'Range: bytes=0-1', 'If-Range: "x"')))).toBe('200 OK')
    expect(statusOf(ask(get('/', 'Range: bytes=0-1', `If-Range: ${MODIFIED}`)))).toBe('206 Partial Content')
  })
})

describe('connections', () => {
  const lastWake = (...send: string[]): number | undefined => {
    const session = startSession(testContext())
    const replies = [session.open(), ...send.flatMap((text) => session.receive(Buffer.from(text)))]
    return replies.findLast(({ wakeMs }) => wakeMs !== undefined)?.wakeMs
  }
  test.each([
    ['nothing', []],
    ['half a head', ['GET / HTTP/1.1\r\nHost: a']],
    ['an answer', [get('/none')]],
  ])('connectionTimeout: 120 s after %s', (_, send) => expect(lastWake(...send)).toBe(120_000))

  test('Other HTTP.sys error log errors: the connection is reset then', () => {
    const session = startSession(testContext())
    session.open()
    expect(session.wake()).toMatchObject({ close: 'reset' })
  })
  test('a client of HTTP/1.0 that asks for it is kept, and the status line says 1.1 (RFC 9112, 9.3)', () => {
    const answer = ask('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(fieldOf(answer, 'Connection')).toBe('keep-alive')
  })
  test('a body that no module reads is dropped, and the next request is answered (RFC 9112, 9.3)', () => {
    const answer = ask(request('POST /', 'Content-Length: 3') + 'a=b' + get('/none'))
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 404'])
  })
  test('the redirect to TLS keeps path and query (hsts redirectHttpToHttps)', () => {
    const redirecting = webSession({
      banner: '',
      skin: loadSkin('iis-default'),
      headers: {},
      redirectPort: 8_443,
    })
    const { text } = replay({ name: '', send: [get('/a?b=c')] }, redirecting)
    expect(fieldOf(text, 'Location')).toBe('https://win:8443/a?b=c')
    expect(bodyOf(text)).toContain('<h1>Object Moved</h1>')
  })
  test('further header fields stand by their number, or behind X-Powered-By (customHeaders)', () => {
    const session = webSession({
      banner: '',
      skin: loadSkin('iis-default'),
      headers: { 'X-Frame-Options': 'DENY', 'Cache-Control': 'no-store' },
    })
    const { text } = replay({ name: '', send: [get('/none')] }, session)
    expect(namesOf(text)).toEqual([
      'Cache-Control',
      'Content-Type',
      'Server',
      'X-Powered-By',
      'X-Frame-Options',
      'Date',
      'Content-Length',
    ])
    expect(namesOf(replay({ name: '', send: [get('/%zz')] }, session).text)).not.toContain('X-Frame-Options')
  })
})
