// What recorded probes cannot show of lighttpd: time, and answers that do not wait for a body.
import { expect, test } from 'vitest'
import { webSession } from '../../servers.ts'
import { BODY_WAIT_MS } from '../../protocol/session.ts'
import { loadSkin } from '../../load-skin.ts'
import { ask, lastWakeOf, openSession, textOf, withSkin } from '../../../../../lab/http/ask.ts'

const start = () => openSession(withSkin('router'))

const post = (path: string, body: string, length = body.length): string =>
  `POST ${path} HTTP/1.1\r\nHost: router\r\nContent-Length: ${length}\r\n\r\n${body}`
const GET = 'GET /robots.txt HTTP/1.1\r\nHost: router\r\n\r\n'

test.each([
  ['nothing at all', '', 60_000],
  ['half a head', 'GET / HTTP/1.1\r\nHost: a', 60_000],
  ['a whole request', GET, 5_000],
])('after %s lighttpd closes without a word when its time is over', (_, text, ms) => {
  const { opened, send, wake } = start()
  expect(lastWakeOf([opened, ...send(text)])).toBe(ms)
  expect(wake()).toMatchObject({ close: 'end' })
  expect(wake()).toBeUndefined()
})

test('a login tells name and password, gets the page that says so, and closes', () => {
  const replies = start().send(post('/login.html', 'username=admin&password=admin1'))
  expect(textOf(replies)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*password is wrong/)
  expect(replies.at(-1)).toMatchObject({
    close: 'end',
    events: [
      {
        logtype: '3001',
        fields: { USERNAME: 'admin', PASSWORD: 'admin1', PATH: '/login.html', SKIN: 'router' },
      },
    ],
  })
})

test('a body that does not come is not waited for: its request is answered, and the connection closes', () => {
  const { send, wake } = start()
  expect(lastWakeOf(send(post('/login.html', 'username=root&pass', 40)))).toBe(BODY_WAIT_MS)
  const answer = wake()
  expect(textOf([answer])).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(answer).toMatchObject({ close: 'end', events: [{ logtype: '3001', fields: { USERNAME: 'root' } }] })
})

test('the 1,001st request of a connection is the last', () => {
  const { send } = start()
  const replies = send(GET.repeat(1_001))
  expect(textOf(replies).split('HTTP/1.1 200 OK')).toHaveLength(1_002)
  expect(textOf(replies).split('Connection: close')).toHaveLength(2)
  expect(replies.at(-1)?.close).toBe('end')
})

const withHeaders = webSession({
  banner: '',
  skin: loadSkin('router'),
  headers: { 'X-Frame-Options': 'DENY' },
})
const redirecting = (redirectPort: number) =>
  webSession({ banner: '', skin: loadSkin('router'), headers: {}, redirectPort })

test.each([
  ['a file', GET, /\r\nContent-Length: 26\r\nX-Frame-Options: DENY\r\nAccept-Ranges: bytes\r\nDate/],
  [
    'a missing file',
    'GET /none HTTP/1.1\r\nHost: a\r\n\r\n',
    /text\/html\r\nX-Frame-Options: DENY\r\nContent-Length: 341\r\n/,
  ],
  [
    'a folder',
    'GET /css HTTP/1.1\r\nHost: a\r\n\r\n',
    /Location: \/css\/\r\nX-Frame-Options: DENY\r\nContent-Length: 0\r\n/,
  ],
  [
    'a file that is known',
    GET.replace('\r\n\r\n', '\r\nIf-None-Match: *\r\n\r\n'),
    /GMT\r\nX-Frame-Options: DENY\r\nDate/,
  ],
])('further header fields stand where mod_setenv puts them: %s', (_, request, expected) => {
  expect(ask(request, withHeaders).text).toMatch(expected)
})

test.each([
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a range beyond the file', GET.replace('\r\n\r\n', '\r\nRange: bytes=99-\r\n\r\n')],
])('further header fields are missing where mod_setenv is not asked: %s', (_, request) => {
  expect(ask(request, withHeaders).text).not.toContain('X-Frame-Options')
})

test.each([
  [443, '/none?a=b%20c', 'A.b:80', 'https://a.b/none?a=b%20c'],
  [443, '/css', 'a.b:81', 'https://a.b:81/css'],
  [443, '/x/../y%2fz', 'a', 'https://a/y/z'],
  [8443, '/<x>?<>', 'a.b:', 'https://a.b:8443/%3Cx%3E?%3C%3E'],
])('every request is redirected to TLS at port %d: %s of %s', (port, path, host, expected) => {
  const { text } = ask(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, redirecting(port))
  expect(text).toMatch(/^HTTP\/1\.1 301 Moved Permanently\r\n/)
  expect(text).toContain(`\r\nLocation: ${expected}\r\nContent-Length: 0\r\n`)
})

test('a version is another one only as the third word of its line', () => {
  const status = (line: string): string => textOf(start().send(`${line}\r\nHost: a\r\n\r\n`)).slice(9, 12)
  expect(status('GET /robots.txt HTTP/3.0')).toBe('505')
  expect(status('GET /robots.txt?a b HTTP/3.0')).toBe('400')
})
