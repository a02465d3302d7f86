import { expect, test } from 'vitest'
import { testContext } from '../../../../../test/session-context.ts'
import { apache, ask, get } from '../../../../../lab/http/ask.ts'

// As Apache 2.4.71 of Debian 12 did on 2026-11-23.
test('an expectation that is not met is refused once the body is there, whatever the path', () => {
  for (const path of ['/nope', '/../x']) {
    const session = apache()(testContext())
    session.open()
    const head = `PATCH ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: x\r\n\r\n`
    const answer = (bytes: string): string =>
      session
        .receive(Buffer.from(bytes))
        .map(({ send }) => String(send ?? ''))
        .join('')
    expect(answer(head)).toBe('')
    expect(answer('abcde')).toMatch(/^HTTP\/1.1 417 /)
  }
})

test('behind an expectation that is not met it closes, though it offers to keep the connection to who asked for it', () => {
  const refused = (fields: string) =>
    ask(`GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n${fields}\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`)
  const kept = refused('Connection: keep-alive\r\n')
  expect(kept.text).toMatch(
    /^HTTP\/1\.1 417 [^]*\r\nKeep-Alive: timeout=5, max=100\r\nConnection: Keep-Alive\r\n/,
  )
  expect(kept.text).not.toContain('HTTP/1.1 200')
  expect(refused('').text).not.toMatch(/Connection:|Keep-Alive:/)
  expect(refused('Connection: close\r\n').text).toContain('\r\nConnection: close\r\n')
})

test.each(['*', '*?x', 'http://a', 'http://a?x', 'http:', 'http:?x', '?x'])(
  'OPTIONS of %s, which has no path, is about the whole server: no verbs, no type',
  (target) => {
    const { text } = ask(`OPTIONS ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 0\r\n/)
    expect(text).not.toMatch(/Allow|Content-Type/)
  },
)

test('a query without a path is of the first page', () => {
  expect(ask('GET ?x HTTP/1.1\r\nHost: a\r\n\r\n').text).toBe(ask('GET / HTTP/1.1\r\nHost: a\r\n\r\n').text)
})

test('a request line without CR names no server: the page shows the address', () => {
  const { text } = ask('GET http://b:8080/nope HTTP/1.0\nHost: a\r\n\r\n')
  expect(text).toMatch(/^HTTP\/1.1 400 /)
  expect(text).toMatch(/Server at \S+ Port 80</)
  expect(text).not.toContain('Server at b')
})

test.each([
  ['with a length', 'Content-Length: 1572864', (part: string) => part],
  ['in chunks', 'Transfer-Encoding: chunked', (part: string) => `80000\r\n${part}\r\n`],
])('a body over a megabyte %s is answered; the event keeps the first megabyte', (_, field, framed) => {
  const session = apache()(testContext())
  session.open()
  const part = framed('x'.repeat(0x80000))
  const end = field.endsWith('chunked') ? '0\r\n\r\n' : ''
  const head = `POST /login.html HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n${field}\r\n\r\n`
  const replies = [head, part, part, part + end].flatMap((text) => session.receive(Buffer.from(text)))
  expect(replies.map(({ send = '' }) => send.toString()).join('')).toMatch(/^HTTP\/1.1 200 /)
  expect(replies.flatMap(({ events = [] }) => events)).toHaveLength(1)
  expect(session.unreadBytes).toBeLessThan(1024 * 1024)
})

test('Apache refuses a body of more than a gigabyte', () => {
  const refused = (path: string): string =>
    ask(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741825\r\n\r\n`).text
  expect(refused('/')).toMatch(/^HTTP\/1.1 413 /)
  expect(refused('/')).not.toContain('Content-Length')
  expect(refused('/css')).toContain('Additionally, a 301 Moved Permanently')
})

test('Apache parts all its bodies of several ranges by one boundary', () => {
  const boundary = (): string | undefined =>
    /boundary=([\da-f]{1,16})\r/.exec(ask(get('/', 'Range: bytes=0-0,5-5\r\n')).text)?.[1]
  expect(boundary()).toMatch(/^[1-9a-f]/)
  expect(boundary()).toBe(boundary())
})

const manyRanges = (count: number, more = '', version = '1.1', method = 'GET'): string =>
  ask(
    `${method} / HTTP/${version}\r\nHost: a\r\nRange: bytes=${Array.from({ length: count }, (_, at) => `${at * 3}-${at * 3}`).join()}\r\n${more}\r\n`,
  ).text

// Asked on 2026-11-23: 32 parts have a length, 33 to 64 leave in two chunks, 65 to 96 in three.
test.each([
  [2, 0],
  [32, 0],
  [33, 2],
  [64, 2],
  [65, 3],
  [199, 7],
])('%i ranges leave in %i chunks', (ranges, chunks) => {
  const text = manyRanges(ranges)
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  const lengths: number[] = []
  if (text.includes('Transfer-Encoding: chunked'))
    for (let at = 0; lengths.at(-1) !== 0;) {
      const [line, size] = /^([\da-f]+)\r\n/.exec(body.slice(at))!
      lengths.push(parseInt(size!, 16))
      at += line.length + lengths.at(-1)! + 2
    }
  expect(lengths.slice(0, -1)).toHaveLength(chunks)
  expect(/Content-Length/.test(text)).toBe(chunks === 0)
  expect(body.match(/Content-range: /g)).toHaveLength(ranges)
})

test('a client of HTTP/1.0 reads many ranges to the close, and HEAD shows no length', () => {
  const old = manyRanges(40, 'Connection: keep-alive\r\n', '1.0')
  expect(old).toMatch(/^HTTP\/1.1 206 [^]*\r\nConnection: close\r\n/)
  expect(old).not.toMatch(/Content-Length|chunked/)
  expect(manyRanges(40, '', '1.1', 'HEAD')).not.toMatch(/Content-Length|chunked/)
})

/** What it answers to a client that ends behind these bytes. */
function askAndEnd(text: string, skin?: string): string {
  const session = apache(skin)(testContext())
  session.open()
  const replies = session.receive(Buffer.from(text))
  const last = session.ended()
  return [...replies, ...(last ? [last] : [])].map(({ send = '' }) => send.toString()).join('')
}

test.each([
  ['POST /', 'basic-auth', 401],
  ['POST /%2f', 'nas', 404],
  ['GET /css/', 'nas', 403],
  ['TRACE /', 'nas', 405],
])(
  'behind half the body of %s on %s Apache names its first error, too, and no length',
  (line, skin, first) => {
    for (const body of ['Content-Length: 10\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\n5\r\nab']) {
      const text = askAndEnd(`${line} HTTP/1.1\r\nHost: a\r\n${body}`, skin)
      expect(text).toMatch(/^HTTP\/1.1 400 /)
      expect(text).not.toContain('Content-Length')
      expect(text).toContain(`<p>Additionally, a ${first} `)
      expect(text.includes('TRACE denied')).toBe(line.startsWith('TRACE'))
    }
  },
)

test('behind half the body of a request that it would answer Apache names the length of its page', () => {
  const text = askAndEnd('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc')
  expect(text).toMatch(/^HTTP\/1.1 400 [^]*\r\nContent-Length: \d+\r\n/)
  expect(text).not.toContain('Additionally')
})

test.each(['GET /css/', 'TRACE /', `POST /${'a'.repeat(256)}`, 'POST /%2f'])(
  '%s is refused before the body that the client waits to send',
  (line) => {
    const { text } = ask(`${line} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1.1 40[345] /)
  },
)

test('Apache closes behind the 101st request of a connection', () => {
  const { text } = ask(get('/nope').repeat(105))
  expect(text.match(/^HTTP\/1.1 404/gm)).toHaveLength(101)
  expect(text.match(/^Connection: close/gm)).toHaveLength(1)
})

// As Apache signed them on 2026-11-23.
test.each([
  ['GET http://b:8080/x HTTP/1.1\r\nHo', 'b Port 8080'],
  ['GET https://b:8080/x HTTP/1.1\r\nHost: c:90\r\nCo', '192.0.2.1 Port 8080'],
  ['CONNECT b:443 HTTP/1.1\r\nHo', 'b Port 443'],
  ['GET http://[::1]/x HTTP/1.1\r\nHo', '::1 Port 80'],
  ['GET ftp://a/ HTTP/1.1\r\nHost: B.example.:81\r\n\r\n', 'b.example Port 81'],
  ['GET ftp://a/ HTTP/1.1\r\nHost: b b\r\n\r\n', '192.0.2.1 Port 80'],
  ['CONNECT [::1]:99999 HTTP/1.1\r\nHo', '::1 Port 34463'],
  ['CONNECT http:/x HTTP/1.1\r\nHost: a\r\n\r\n', '192.0.2.1 Port 0'],
  ['CONNECT a:90x HTTP/1.1\r\nHost: a\r\n\r\n', '192.0.2.1 Port 90'],
])('the page for %j is signed by %s', (request, signature) => {
  expect(askAndEnd(request)).toContain(`Server at ${signature}</address>`)
})

test('the target of CONNECT makes up for a Host field that names no host', () => {
  expect(ask('CONNECT a:5 HTTP/1.1\r\nHost: b c\r\n\r\n').text).toMatch(
    /^HTTP\/1.1 405 [^]*Server at a Port 5</,
  )
})

test('the page about ranges beyond a file has no chunks where the connection closes behind it', () => {
  const beyond = (more: string): string => ask(get('/', `Range: bytes=300000-\r\n${more}`)).text
  expect(beyond('')).toMatch(/^HTTP\/1.1 416 [^]*Transfer-Encoding: chunked/)
  expect(beyond('Connection: close\r\n')).toMatch(/^HTTP\/1.1 416 [^]*<\/html>\n$/)
  expect(beyond('Connection: close\r\n')).not.toContain('chunked')
  const last = ask(get('/nope').repeat(100) + get('/', 'Range: bytes=300000-\r\n')).text
  expect(last.slice(last.lastIndexOf('HTTP/1.1 '))).not.toContain('chunked')
})
