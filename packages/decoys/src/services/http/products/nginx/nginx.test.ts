// What recorded probes cannot show of nginx: time, and answers that do not wait for a body.
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testContext } from '../../../../../test/session-context.ts'
import type { Reply } from '../../../../session/session.ts'
import { webSession } from '../../servers.ts'
import { BODY_WAIT_MS } from '../../protocol/session.ts'
import { loadSkin } from '../../load-skin.ts'
import { lastWakeOf, openSession, textOf } from '../../../../../lab/http/ask.ts'

const nginx = (banner = '') => webSession({ banner, skin: loadSkin('portal'), headers: {} })

const start = (now: () => number = () => 0, startSession = nginx()) => openSession(startSession, { now })

const logtypesOf = (replies: readonly Reply[]): string[] =>
  replies.flatMap(({ events = [] }) => events.map(({ logtype }) => logtype))

const post = (path: string, body: string, length = body.length): string =>
  `POST ${path} HTTP/1.1\r\nHost: portal\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n${body}`
const GET = 'GET /robots.txt HTTP/1.1\r\nHost: portal\r\n\r\n'

test.each([
  ['nothing at all', '', 60_000],
  ['a whole request', GET, 75_000],
  ['half a head', 'GET / HTTP/1.1\r\nHost: a', 60_000],
  ['half the body of a login', post('/login', 'user', 50), 60_000],
])('after %s nginx closes without a word when its time is over', (_, text, ms) => {
  const { opened, send, wake } = start()
  expect(lastWakeOf([opened, ...send(text)])).toBe(ms)
  expect(wake()).toMatchObject({ close: 'end' })
  expect(wake()).toBeUndefined()
})

test('the silence before the first head counts for its time', () => {
  let now = 0
  const { send } = start(() => now)
  now = 25_000
  expect(lastWakeOf(send('GET / HT'))).toBe(35_000)
  now = 50_000
  expect(lastWakeOf(send('TP/1.1\r\n'))).toBe(10_000)
})

test('a login is answered when its body is there, and tells name and password', () => {
  const { send } = start()
  const body = 'username=admin&password=s3cret'
  expect(textOf(send(post('/login', body.slice(0, 10), body.length)))).toBe('')
  const replies = send(body.slice(10))
  expect(textOf(replies)).toMatch(/^HTTP\/1\.1 200 OK\r\nServer: nginx\/1\.22\.1\r\n[^]*is not right/)
  expect(replies.at(-1)?.events).toMatchObject([
    { logtype: '3001', fields: { USERNAME: 'admin', PASSWORD: 's3cret', PATH: '/login', SKIN: 'portal' } },
  ])
})

test('a body that comes at once is in the event of a request that does not need it', () => {
  const { send } = start()
  const replies = send(`${post('/none', 'username=a&password=b')}${GET}`)
  expect(logtypesOf(replies)).toEqual(['3001', '3000'])
  expect(textOf(replies)).toMatch(/^HTTP\/1\.1 404 [^]*\r\nHTTP\/1\.1 200 OK/)
})

test('a file is refused before the body has come; what comes of it is dropped, then the next request is read', () => {
  let now = 0
  const { send, wake } = start(() => now)
  expect(lastWakeOf(send(post('/robots.txt', 'user', 20)))).toBe(BODY_WAIT_MS)
  const early = wake()
  expect(textOf([early])).toMatch(/^HTTP\/1\.1 405 Not Allowed\r\n[^]*Connection: keep-alive/)
  expect(early).toMatchObject({ wakeMs: 5_000, events: [{ logtype: '3006' }] })
  now = 27_000
  expect(lastWakeOf(send('x'.repeat(10)))).toBe(3_000)
  const replies = send(`${'x'.repeat(6)}${GET}`)
  expect(logtypesOf(replies)).toEqual(['3000'])
  expect(textOf(replies)).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('a body that is broken behind its answer ends the connection without another', () => {
  const { send, wake } = start()
  send('POST /none HTTP/1.1\r\nHost: portal\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab')
  expect(textOf([wake()])).toMatch(/^HTTP\/1\.1 404/)
  expect(send('cdeX')).toMatchObject([{}, { close: 'end' }])
})

test('a dropped body may be of any length, and nothing of it is kept', () => {
  const { send, wake } = start()
  send('POST /none HTTP/1.1\r\nHost: portal\r\nTransfer-Encoding: chunked\r\n\r\n')
  wake()
  for (let chunk = 0; chunk < 40; chunk += 1)
    expect(send(`10000\r\n${'x'.repeat(0x10000)}\r\n`)).not.toEqual([])
  expect(textOf(send(`0\r\n\r\n${GET}`))).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('its own page is compressed, also one that names another product', () => {
  const asked = GET.replace('/robots.txt', '/none').replace('\r\n\r\n', '\r\nAccept-Encoding: gzip\r\n\r\n')
  for (const banner of ['', 'nginx/1.18.0']) {
    const { send } = start(() => 0, nginx(banner))
    const bytes = Buffer.concat(send(asked).map(({ send: sent = '' }) => Buffer.from(sent)))
    const at = bytes.indexOf('\r\n\r\n') + 4
    const [size = ''] = /^[\da-f]+/.exec(bytes.toString('latin1', at))!
    const from = at + size.length + 2
    const page = gunzipSync(bytes.subarray(from, from + parseInt(size, 16))).toString()
    expect(page).toContain(`<hr><center>${banner || 'nginx/1.22.1'}</center>`)
  }
})

const settings = { banner: '', skin: loadSkin('portal'), headers: { 'X-Frame-Options': 'DENY', 'X-B': 'c' } }
const EXTRA = 'X-Frame-Options: DENY\r\nX-B: c\r\n'
const headOf = (request: string, startSession: ReturnType<typeof webSession>): string =>
  textOf(start(() => 0, startSession).send(request)).split('\r\n\r\n', 1)[0]! + '\r\n'
const get = (path: string, field = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${field && `${field}\r\n`}\r\n`

test.each([
  ['a file', get('/robots.txt'), `"\r\n${EXTRA}Accept-Ranges: bytes\r\n`],
  [
    'a part of a file',
    get('/robots.txt', 'Range: bytes=0-1'),
    `"\r\n${EXTRA}Content-Range: bytes 0-1/26\r\n`,
  ],
  ['a known file', get('/robots.txt', 'If-None-Match: *'), `"\r\n${EXTRA}`],
  ['a compressed page', get('/', 'Accept-Encoding: gzip'), `"\r\n${EXTRA}Content-Encoding: gzip\r\n`],
  ['a missing file', get('/none'), `Connection: keep-alive\r\n${EXTRA}`],
  ['a folder', get('/css'), `/css/\r\nConnection: keep-alive\r\n${EXTRA}`],
  ['a login page', get('/login'), `Connection: keep-alive\r\n${EXTRA}`],
  ['a wrong host', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', `Connection: close\r\n${EXTRA}`],
  [
    'a range beyond the file',
    get('/robots.txt', 'Range: bytes=99-'),
    `${EXTRA}Content-Range: bytes */26\r\n${EXTRA}`,
  ],
])('further header fields stand where `add_header … always` puts them: %s', (_, request, expected) => {
  expect(headOf(request, webSession(settings))).toContain(expected)
})

test.each([
  [443, get('/none?a=b%20c'), 'https://a/none?a=b%20c'],
  [443, get('/x/../y%2fz'), 'https://a/x/../y%2fz'],
  [443, get('/css').replace('Host: a', 'Host: A.b:81'), 'https://a.b/css'],
  [8443, get('/login').replace('GET', 'DELETE'), 'https://a:8443/login'],
])(
  'every request is redirected to TLS at port %d, as `return 301` does',
  (redirectPort, request, expected) => {
    const head = headOf(request, webSession({ ...settings, redirectPort }))
    expect(head).toMatch(/^HTTP\/1\.1 301 Moved Permanently\r\n/)
    expect(head).toContain(
      `Content-Length: 169\r\nConnection: keep-alive\r\nLocation: ${expected}\r\n${EXTRA}`,
    )
  },
)

test('a method that nginx never serves is refused, not redirected', () => {
  const head = headOf(get('/').replace('GET', 'TRACE'), webSession({ ...settings, redirectPort: 443 }))
  expect(head).toMatch(/^HTTP\/1\.1 405 Not Allowed\r\n/)
})

test('the boundary of several ranges counts the responses of all clients of a Bird', () => {
  const bird = testContext()
  const boundary = (context = bird): string | undefined => {
    const session = nginx()(context)
    session.open()
    const request = 'GET / HTTP/1.1\r\nHost: portal\r\nRange: bytes=0-1,4-5\r\n\r\n'
    return /boundary=(\d{20})\r/.exec(textOf(session.receive(Buffer.from(request))))?.[1]
  }
  expect(Number(boundary())).toBe(1)
  expect(Number(boundary())).toBe(2)
  expect(Number(boundary(testContext()))).toBe(1)
})
