// The web server of a printer by its documents: no real one was there to compare with. Each claim names its source and section.
import { describe, expect, test } from 'vitest'
import { replay } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { webSession } from '../../servers.ts'
import { loadSkin } from '../../load-skin.ts'

const startSession = webSession({ banner: '', skin: loadSkin('printer'), headers: {} })
const ask = (...send: string[]): string => replay({ name: '', send }, startSession).text
const request = (line: string, ...fields: string[]): string =>
  `${line} HTTP/1.1\r\nHost: printer\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`
const get = (path: string, ...fields: string[]): string => request(`GET ${path}`, ...fields)

const PAGE = '/main/main.html'
const statusOf = (text: string): string =>
  /^HTTP\/1\.[01] (\d{3} [^\r]*)/.exec(text)?.[1] ?? text.slice(0, 40)
const headOf = (text: string): string[] => text.split('\r\n\r\n', 1)[0]!.split('\r\n')
const fieldOf = (text: string, name: string): string | undefined =>
  headOf(text)
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)
const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4)
const basic = (text: string, scheme = 'Basic'): string =>
  `Authorization: ${scheme} ${Buffer.from(text).toString('base64')}`

describe('requests', () => {
  test.each([
    ['RFC 9112, 2.2: an empty line before a request is none of it', `\r\n\r\n${get(PAGE)}`, '200 OK'],
    ['RFC 9112, 2.2: a line feed alone ends a line', `GET ${PAGE} HTTP/1.1\nHost: a\n\n`, '200 OK'],
    ['RFC 9112, 3: words of a request line stand apart by spaces', request(`GET   ${PAGE}`), '200 OK'],
    ['RFC 9112, 3: a line that is no request', 'HELP ME PLEASE NOW\r\n\r\n', '400 Bad Request'],
    [
      'RFC 9112, 3: a request line longer than any that it reads',
      `GET /${'a'.repeat(5_000)}`,
      '414 Request-URI Too Large',
    ],
    ['RFC 9112, 3.2: a request of 1.1 without Host', `GET ${PAGE} HTTP/1.1\r\n\r\n`, '400 Bad Request'],
    ['RFC 9112, 3.2: two Hosts', get(PAGE, 'Host: b'), '400 Bad Request'],
    ['RFC 9112, 3.2: a request of 1.0 needs no Host', `GET ${PAGE} HTTP/1.0\r\n\r\n`, '200 OK'],
    ['RFC 9112, 3.2.1: the query is none of the path', get(`${PAGE}?a=b`), '200 OK'],
    ['RFC 9112, 3.2.1: a target that is no path', get('main.html'), '400 Bad Request'],
    ['RFC 9112, 3.2.2: a whole address', get(`http://printer${PAGE}`), '200 OK'],
    ['RFC 9112, 3.2.3: CONNECT with an authority', request('CONNECT a:80'), '501 Not Implemented'],
    ['RFC 9112, 3.2.4: OPTIONS of the server itself', request('OPTIONS *'), '501 Not Implemented'],
    ['RFC 9112, 5: a field without a colon', get(PAGE, 'x'), '400 Bad Request'],
    ['RFC 9112, 5.1: a space before the colon', get(PAGE, 'A : b'), '400 Bad Request'],
    ['RFC 9112, 5.2: a folded field', get(PAGE, 'A: b', ' c'), '400 Bad Request'],
    [
      'RFC 9110, 5.1: names of fields have no case',
      request('POST /none', 'CONTENT-length: 0'),
      '404 Not Found',
    ],
    ['RFC 9110, 5.5: NUL in a field', get(PAGE, 'A: b\0c'), '400 Bad Request'],
    ['RFC 9110, 5.5: a carriage return alone in a field', get(PAGE, 'A: b\rc'), '400 Bad Request'],
    ['RFC 9110, 9.1: methods have case', request(`get ${PAGE}`), '501 Not Implemented'],
    ['RFC 9110, 9.1: a method that it does not know', request(`FOO ${PAGE}`), '501 Not Implemented'],
    ['RFC 9110, 9.3.8: TRACE is optional', request(`TRACE ${PAGE}`), '501 Not Implemented'],
    ['RFC 9110, 4.2.3: an escaped letter is that letter', get('/%6Dain/main%2ehtml'), '200 OK'],
    [
      'RFC 9110, 15.6.6: another major version',
      `GET ${PAGE} HTTP/2.0\r\n\r\n`,
      '505 HTTP Version Not Supported',
    ],
    ['RFC 9110, 2.5: a minor version that is higher', `GET ${PAGE} HTTP/1.2\r\nHost: a\r\n\r\n`, '200 OK'],
  ])('%s', (_, text, status) => {
    const { text: answer, closed } = replay({ name: '', send: [text] }, startSession)
    expect(statusOf(answer)).toBe(status)
    expect(closed).toBe(true)
  })
})

describe('bodies', () => {
  test.each([
    [
      'RFC 9110, 15.5.12: a POST without a length (published answers of debut/1.30)',
      request('POST /none'),
      '411 Length Required',
    ],
    [
      'RFC 9110, 15.5.14: a body of more than it reads',
      request('POST /none', 'Content-Length: 65537'),
      '413 Request Entity Too Large',
    ],
    [
      'RFC 9112, 6.1: another transfer coding',
      request('POST /none', 'Transfer-Encoding: gzip'),
      '501 Not Implemented',
    ],
    [
      'RFC 9112, 6.1: a coding and a length',
      request('POST /none', 'Transfer-Encoding: chunked', 'Content-Length: 1'),
      '400 Bad Request',
    ],
    [
      'RFC 9112, 6.3: chunks without a length',
      request('POST /none', 'Transfer-Encoding: chunked'),
      '411 Length Required',
    ],
    [
      'RFC 9112, 6.3: a length that is no number',
      request('POST /none', 'Content-Length: 1x'),
      '400 Bad Request',
    ],
    [
      'RFC 9112, 6.3: two lengths',
      request('POST /none', 'Content-Length: 1', 'Content-Length: 2'),
      '400 Bad Request',
    ],
    [
      'RFC 9110, 8.6: the same length twice',
      `${request('POST /none', 'Content-Length: 1', 'Content-Length: 1')}x`,
      '404 Not Found',
    ],
  ])('%s', (_, text, status) => expect(statusOf(ask(text))).toBe(status))

  test('RFC 9110, 10.1.1: who waits for 100 Continue gets it', () => {
    const answer = ask(request('POST /none', 'Content-Length: 3', 'Expect: 100-continue'), 'a=b')
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 404 /)
  })
})

describe('responses', () => {
  test('nmap-service-probes, match http debut: the redirect by which nmap names the device, byte by byte', () => {
    expect(ask('GET / HTTP/1.0\r\n\r\n')).toBe(
      'HTTP/1.0 301 Moved Permanently\r\nContent-Length: 0\r\nConnection: close\r\nLocation: /main/main.html\r\nServer: debut/1.20\r\n\r\n',
    )
  })
  test.each([PAGE, '/none', '/admin/general.html', '/'])(
    'nmap-service-probes, match http debut (general): the Server field is in the answer to %s',
    (path) => expect(fieldOf(ask(get(path)), 'Server')).toBe('debut/1.20'),
  )
  test.each([
    [PAGE, 'text/html'],
    ['/common/printer.css', 'text/css'],
    ['/images/device.gif', 'image/gif'],
  ])('RFC 9110, 8.3: the type of %s is %s', (path, type) =>
    expect(fieldOf(ask(get(path)), 'Content-Type')).toBe(type),
  )
  test('RFC 9110, 8.5: pages name their language', () => {
    expect(fieldOf(ask(get(PAGE)), 'Content-Language')).toBe('en')
  })
  test('RFC 9110, 8.6: the length is that of the body', () => {
    const answer = ask(get(PAGE))
    expect(fieldOf(answer, 'Content-Length')).toBe(String(bodyOf(answer).length))
  })
  test('RFC 9110, 6.6.1: a server without a clock sends no Date; RFC 9110, 8.8: nor validators', () => {
    const names = headOf(ask(get(PAGE))).map((line) => line.split(':')[0])
    for (const name of ['Date', 'Last-Modified', 'ETag', 'Expires']) expect(names).not.toContain(name)
  })
  test('RFC 9111, 5.2.2.4: pages about a state are asked for each time', () => {
    expect(fieldOf(ask(get(PAGE)), 'Cache-Control')).toBe('no-cache')
  })
  test.each([PAGE, '/none', '/admin/general.html', '/'])(
    'RFC 9110, 9.3.2: HEAD of %s has the fields of GET, and no body',
    (path) => {
      const [page, head] = [ask(get(path)), ask(request(`HEAD ${path}`))]
      expect(headOf(head)).toEqual(headOf(page))
      expect(bodyOf(head)).toBe('')
    },
  )
  test('RFC 9110, 10.2.2: an address to go to may be a path', () => {
    expect(fieldOf(ask(get('/')), 'Location')).toBe(PAGE)
  })
  test('RFC 9110, 14.2: a server may ignore Range, and RFC 9110, 14.3: then names no Accept-Ranges', () => {
    const answer = ask(get(PAGE, 'Range: bytes=0-9'))
    expect(statusOf(answer)).toBe('200 OK')
    expect(fieldOf(answer, 'Accept-Ranges')).toBeUndefined()
  })
  test('RFC 9110, 12.5.3: without a coding a page suits all who name others', () => {
    expect(fieldOf(ask(get(PAGE, 'Accept-Encoding: gzip, br')), 'Content-Encoding')).toBeUndefined()
  })
})

describe('connections', () => {
  test.each([
    ['RFC 9112, 9.6: says that it closes', get(PAGE)],
    ['RFC 9112, 9.3: closes though the client would stay', get(PAGE, 'Connection: keep-alive')],
    ['RFC 9112, 9.6: an error, too', 'x\r\n\r\n'],
  ])('%s', (_, text) => {
    const { text: answer, closed } = replay({ name: '', send: [text] }, startSession)
    expect(fieldOf(answer, 'Connection')).toBe('close')
    expect(closed).toBe(true)
  })
  test('RFC 9112, 9.3.2: behind the last answer, a request of a pipeline gets none', () => {
    expect(ask(get('/none') + get('/none')).match(/HTTP\/1/g)).toHaveLength(1)
  })
})

describe('names and passwords', () => {
  const admin = '/admin/general.html'
  test('RFC 9110, 15.5.2: 401 has a challenge; RFC 7617, 2: which names a realm', () => {
    const answer = ask(get(admin))
    expect(statusOf(answer)).toBe('401 Unauthorized')
    expect(fieldOf(answer, 'WWW-Authenticate')).toBe('Basic realm="debut"')
  })
  test.each([
    ['Network User’s Guide, web based management: the first password', basic('admin:access')],
    ['RFC 7617, 2: a password with colons', basic('admin:a:b')],
    ['RFC 7617, 2: no password', basic('admin:')],
    ['RFC 9110, 11.1: schemes have no case', basic('admin:access', 'bASIC')],
    ['RFC 9110, 11.1: another scheme', 'Authorization: Bearer x'],
  ])('%s is refused', (_, field) => expect(statusOf(ask(get(admin, field)))).toBe('401 Unauthorized'))
  test.each([
    [basic('admin:a:b'), { USERNAME: 'admin', PASSWORD: 'a:b' }],
    [basic('admin:access', 'bASIC'), { USERNAME: 'admin', PASSWORD: 'access' }],
  ])('RFC 7617, 2: what %s holds is the event', (field, fields) => {
    const session = startSession(testContext())
    session.open()
    const events = session.receive(Buffer.from(get(admin, field))).flatMap(({ events = [] }) => events)
    expect(events).toMatchObject([{ logtype: '3001', fields }])
  })
  test.each([PAGE, '/main/maintenance.html'])(
    'Network User’s Guide, web based management: %s needs none',
    (path) => expect(statusOf(ask(get(path)))).toBe('200 OK'),
  )
  test('Network User’s Guide, web based management: the menu', () => {
    const page = bodyOf(ask(get(PAGE)))
    for (const entry of [
      'Machine Status',
      'Maintenance Information',
      'General Setup',
      'Fax Settings',
      'Administrator Settings',
      'Network Configuration',
    ])
      expect(page).toContain(`>${entry}</a>`)
  })
  test('published scans: the title is maker and model', () => {
    expect(bodyOf(ask(get(PAGE)))).toContain('<title>Brother MFC-8860DN</title>')
  })
})
