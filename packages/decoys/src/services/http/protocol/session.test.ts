import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gunzipSync } from 'node:zlib'
import { readAnswers } from '../../../../test/probe.ts'
import { differences, replay } from '../../../../test/replay.ts'
import { testContext } from '../../../../test/session-context.ts'
import { probes as apacheProbes } from '../../../../lab/http/apache/corpus.ts'
import { mask as maskApache } from '../../../../lab/http/apache/mask.ts'
import { probes as lighttpdProbes } from '../../../../lab/http/lighttpd/corpus.ts'
import { mask as maskLighttpd } from '../../../../lab/http/lighttpd/mask.ts'
import { probes as nginxProbes } from '../../../../lab/http/nginx/corpus.ts'
import { mask as maskNginx } from '../../../../lab/http/nginx/mask.ts'
import { apache, ask, get, post, withSkin } from '../../../../lab/http/ask.ts'
import service from '../service.ts'
import { descriptor } from '../descriptor.ts'
import { loadSkin } from '../load-skin.ts'

const SKINS = readdirSync(new URL('../skins/', import.meta.url)).sort()

test.each([
  ['apache', 'nas', apacheProbes, maskApache],
  ['nginx', 'portal', nginxProbes, maskNginx],
  ['lighttpd', 'router', lighttpdProbes, maskLighttpd],
])('99 of 100 probes are answered as %s answers them', (server, skin, probes, mask) => {
  const answers = readAnswers(new URL(`../../../../lab/http/${server}/`, import.meta.url))
  const found = differences(probes, answers, () => withSkin(skin), mask)
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(found.length / probes.length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(0.01)
})

test('a body in chunks of one byte takes hardly more memory than its bytes', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const session = apache()(testContext())
  session.open()
  session.receive(
    Buffer.from('POST /login.html HTTP/1.1\r\nHost: nas.lan\r\nTransfer-Encoding: chunked\r\n\r\n'),
  )
  collect()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 200; n++) session.receive(Buffer.from('1\r\nx\r\n'.repeat(1_000)))
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4e6)
  // The host counts what all connections keep.
  expect(session.unreadBytes).toBeGreaterThanOrEqual(200_000)
  const [reply] = session.receive(Buffer.from('0\r\n\r\n'))
  expect(reply?.events).toHaveLength(1)
})

test('a filled login form raises a login attempt, and the page says that it was incorrect', () => {
  const { text, events } = ask(post('/login.html', 'username=admin&password=p%40ss%26+%C3%BC'))
  expect(events).toEqual([
    {
      logtype: '3001',
      fields: {
        PATH: '/login.html',
        METHOD: 'POST',
        USERAGENT: 'Firefox',
        RESPONSE: 200,
        SKIN: 'nas',
        HOSTNAME: 'nas.lan',
        USERNAME: 'admin',
        PASSWORD: 'p@ss& ü',
      },
    },
  ])
  expect(text).toContain('incorrect')
})

test.each([
  ['3000', get('/')],
  ['3000', get('/css/login.css')],
  ['3001', get('/', 'Authorization: Basic YWRtaW46Z2VoZWlt\r\n')],
  ['3001', post('/nope', 'username=a&password=b')],
  [
    '3001',
    post(
      '/login.html',
      '--x\r\nContent-Disposition: form-data; name="username"\r\n\r\na\r\n--x--',
      'multipart/form-data; boundary=x',
    ),
  ],
  ['3002', post('/index.html', 'a=b')],
  ['3003', get('/nope')],
  ['3003', 'GET / HTTP/9.x\r\n\r\n'],
  ['3004', 'GARBAGE\r\n\r\n'],
  ['3004', get('/nmaplowercheck1700000000')],
  ['3004', 'GET / HTTP/1.0\r\nUser-Agent: Mozilla/5.0 (compatible; Nmap Scripting Engine)\r\n\r\n'],
  ['3005', post('/api/v1/login', '{"user":"a"}', 'application/json')],
  ['3005', get('/api/status')],
  ['3006', post('/nope', 'a=b')],
])('logtype %s is raised by %j', (logtype, request) => {
  const { events } = ask(request)
  expect(events.map((event) => event.logtype)).toEqual([logtype])
})

test('an API request keeps its headers and its body', () => {
  const [event] = ask(post('/api/v1/login', '{"user":"a"}', 'application/json', 'X-Token: 1\r\n')).events
  expect(event!.fields).toMatchObject({
    POSTDATA: '{"user":"a"}',
    HEADERS: { 'x-token': '1', host: 'nas.lan' },
  })
})

test('each request of a pipeline raises an event of its own', () => {
  const { events } = ask(get('/') + post('/login.html', 'username=a&password=b') + get('/nope'))
  expect(events.map(({ logtype }) => logtype)).toEqual(['3000', '3001', '3003'])
})

test('a browser gets the same page compressed', () => {
  const { bytes } = ask(get('/', 'Accept-Encoding: gzip, deflate\r\n'))
  const at = bytes.indexOf('\r\n\r\n')
  expect(bytes.toString('latin1', 0, at)).toContain('Content-Encoding: gzip')
  expect(gunzipSync(bytes.subarray(at + 4)).toString()).toContain('FileStation')
})

test('banner and further headers come from the settings, without forged lines', () => {
  const settings = Object.fromEntries(
    Object.entries(descriptor.settings).map(([key, { default: value }]) => [key, value]),
  )
  const [listener] = service.listeners({
    ...settings,
    'http.enabled': true,
    'http.banner': 'nginx/1.22.1',
    'http.headers.enabled': true,
    'http.headers': { 'X-Frame-Options': 'DENY\r\nX-Evil: 1' },
  })
  const { text } = ask(get('/nope'), listener!.startSession)
  expect(text).toContain('\r\nServer: nginx/1.22.1\r\n')
  expect(text).toContain('\r\nX-Frame-Options: DENYX-Evil: 1\r\n')
  expect(text).toContain('<address>nginx/1.22.1 Server at nas.lan')
  expect(service.listeners({ ...settings, 'http.enabled': false })).toEqual([])
})

test('a client that waits for 100 Continue gets it', () => {
  const session = apache()(testContext())
  session.open()
  const head = post('/login.html', '', undefined, 'Expect: 100-continue\r\n').replace(
    'Content-Length: 0',
    'Content-Length: 21',
  )
  expect(session.receive(Buffer.from(head)).map(({ send }) => send)).toEqual([
    'HTTP/1.1 100 Continue\r\n\r\n',
  ])
  const [reply] = session.receive(Buffer.from('username=a&password=b'))
  expect(reply!.events![0]!.logtype).toBe('3001')
})

test.each([
  ['nginx', 'portal'],
  ['lighttpd', 'router'],
])('%s answers a client that ends its side within a body', (_, skin) => {
  const session = withSkin(skin)(testContext())
  session.open()
  session.receive(Buffer.from('POST /nope HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc'))
  const reply = session.ended()
  expect(String(reply?.send)).toMatch(/^HTTP\/1.1 40[45] /)
  expect(reply?.close).toBe('end')
})

test('lighttpd takes any UTF-8 in a path, and refuses bytes that are none', () => {
  const status = (path: string): string => ask(get(path), withSkin('router')).text.slice(9, 12)
  expect(['/\xc3\xbc', '/\x80', '/%c3%bc', '/\xff', '/\xc0', '/%c0%ae', '/?%f5'].map(status)).toEqual([
    ...['404', '404', '404'],
    ...['400', '400', '400', '400'],
  ])
})

test('nginx refuses a method but GET without a version by a page without a head', () => {
  for (const method of ['POST', 'HEAD'])
    expect(ask(`${method} /\r\n`, withSkin('portal')).text).toMatch(/^<html>/)
})

const GRACES = {
  'nothing at all': { text: '', ms: 51_000, answer: '' },
  'a whole request': { text: get('/'), ms: 5_000, answer: '' },
  'half a request line': { text: 'GET / HT', ms: 20_000, answer: '' },
  'half a head': { text: 'GET / HTTP/1.1\r\nHost: a', ms: 20_000, answer: 'HTTP/1.1 408' },
  'a head of 5,000 bytes': {
    text: `GET / HTTP/1.1\r\nA: ${'x'.repeat(4_981)}`,
    ms: 30_000,
    answer: 'HTTP/1.1 408',
  },
  'half a body': {
    text: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab',
    ms: 10_000,
    answer: 'HTTP/1.1 408',
  },
}

test.each(Object.entries(GRACES))('after %s Apache’s time limit closes', (_, { text, ms, answer }) => {
  const session = apache()(testContext())
  const replies = [session.open(), ...session.receive(Buffer.from(text))]
  expect(replies.findLast(({ wakeMs }) => wakeMs !== undefined)?.wakeMs).toBe(ms)
  const { send = '', close } = session.wake()!
  expect({ answer: String(send).slice(0, 12), close }).toEqual({ answer, close: 'end' })
})

/** What a client gets that ends its side behind this text, and the events. */
function cutOff(text: string, startSession = apache()) {
  const session = startSession(testContext())
  const replies = [session.open(), ...session.receive(Buffer.from(text)), session.ended() ?? {}]
  return {
    text: replies.map(({ send = '' }) => String(send)).join(''),
    events: [...replies.flatMap(({ events = [] }) => events), ...session.closed()],
  }
}
const CUT_LOGIN = post('/', 'username=eve&password=Winter2026&more=1').slice(0, -5)

test.each([
  ['a request line', 'GET / HTTP/1.1\r\n', 400],
  ['an empty line and half a head', '\r\nGET / HTTP/1.1\r\nHost: a', 400],
  ['half a body', CUT_LOGIN, 400],
  ['half a chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', 400],
  ['half a request line', 'GET / HT', undefined],
  ['an empty line', '\r\n', undefined],
  ['nothing', '', undefined],
])('a client that ends behind %s gets of Apache: %s', (_, sent, status) => {
  const { text, events } = cutOff(sent)
  expect(text.slice(0, 12)).toBe(status ? `HTTP/1.1 ${status}` : '')
  if (status) expect(text).toMatch(/\r\nContent-Length: \d+\r\nConnection: close\r\n/)
  expect(events).toHaveLength(status ? 1 : 0)
})

test.each(['nas', 'portal', 'router', 'iis-default', 'printer'])(
  '%s: a login whose body is cut off is reported once',
  (skin) => {
    const { path } = loadSkin(skin).login ?? { path: '/' }
    const { events } = cutOff(CUT_LOGIN.replace('POST /', `POST ${path}`), withSkin(skin))
    expect(events).toMatchObject([{ fields: { PATH: path, METHOD: 'POST' } }])
  },
)

test('Apache reads the password of a login that is cut off behind it', () => {
  expect(cutOff(CUT_LOGIN).events).toMatchObject([
    { logtype: '3001', fields: { USERNAME: 'eve', PASSWORD: 'Winter2026', RESPONSE: 400 } },
  ])
})

test('a request without an answer has the status 0, and one with an answer is reported once', () => {
  const portal = CUT_LOGIN.replace('POST /', 'POST /login')
  expect(cutOff(portal, withSkin('portal')).events).toMatchObject([{ fields: { RESPONSE: 0 } }])
  expect(cutOff(post('/', 'a=b'), withSkin('portal')).events).toHaveLength(1)
  expect(cutOff(get('/')).events).toHaveLength(1)
})

test('bytes that drip in do not move the limit of a head', () => {
  let now = 0
  const session = apache()(testContext({ now: () => now }))
  session.open()
  const left = [...'GET / HTTP'].map((byte) => {
    now += 1_500
    return session.receive(Buffer.from(byte))[0]!.wakeMs
  })
  expect(left.slice(-2)).toEqual([20_000 - 8 * 1_500, 20_000 - 9 * 1_500])
})

test('a server on another port signs its pages and redirects with it', () => {
  const context = testContext({ dst: { host: '192.0.2.1', port: 8081 } })
  const { text } = replay({ name: '', send: ['GET /css HTTP/1.1\r\nHost: nas\r\n\r\n'] }, apache(), context)
  expect(text).toContain('Location: http://nas:8081/css/\r\n')
  expect(text).toContain('Server at nas Port 8081</address>')
})

test('no garbage makes the session throw', () => {
  const token = fc.constantFrom(
    'GET',
    'POST',
    ' ',
    '/',
    'HTTP/1.1',
    '\r\n',
    '\r\n\r\n',
    'Host: a',
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    'Range: bytes=0-,1-2,-9',
    'If-None-Match: "',
    '%',
    '..',
    '0',
    '\0',
    'ÿ',
    'Expect: 100-continue',
    'Authorization: Basic Og==',
    '[',
    'username=%',
    '3\r\nabc\r\n',
  )
  fc.assert(
    fc.property(
      fc.array(
        fc.array(token, { maxLength: 25 }).map((all) => all.join('')),
        { maxLength: 4 },
      ),
      (send) => void replay({ name: '', send }, apache()),
    ),
    { numRuns: 1_000 },
  )
})

test.each(SKINS)(
  'what its server compresses of the skin %s is recorded, and is what the skin holds',
  (name) => {
    const { assets, login, server } = loadSkin(name)
    const all = [...assets.values(), ...(login ? [login.wrongCredentials] : [])]
    const compressed = all.filter(({ gzipped }) => gzipped !== undefined)
    const isCompressing = server === 'apache' || server === 'nginx'
    expect(compressed.length).toBeGreaterThanOrEqual(isCompressing ? 1 : 0)
    for (const { bytes, gzipped } of compressed) expect(gunzipSync(gzipped!)).toEqual(bytes)
  },
)

test('the skin basic-auth asks for name and password whatever is requested, and every guess is a login', () => {
  const first = ask(get('/reports'), apache('basic-auth'))
  expect(first.text).toMatch(
    /^HTTP\/1\.1 401 Unauthorized\r\n[^]*\r\nWWW-Authenticate: Basic realm="Operations"\r\n/,
  )
  expect(first.events).toMatchObject([{ logtype: '3003', fields: { RESPONSE: 401, SKIN: 'basic-auth' } }])
  const credentials = `Authorization: Basic ${Buffer.from('admin:letmein').toString('base64')}\r\n`
  const guess = ask(get('/reports', credentials), apache('basic-auth'))
  expect(guess.text).toContain('401 Unauthorized')
  expect(guess.events).toMatchObject([
    { logtype: '3001', fields: { USERNAME: 'admin', PASSWORD: 'letmein', PATH: '/reports', RESPONSE: 401 } },
  ])
})

test('every skin is a choice of http.skin, and every choice is a skin with a page', () => {
  expect([...descriptor.settings['http.skin'].choices].sort()).toEqual(SKINS)
  for (const name of SKINS) {
    const path = loadSkin(name).startPath ?? '/'
    expect(ask(get(path), withSkin(name)).text, name).toMatch(/<title>|401 Unauthorized/)
  }
})

test('an encoding with a weight of 0 is not used', () => {
  for (const encodings of ['gzip;q=0', 'deflate, gzip; q=0.0', 'br'])
    expect(ask(get('/', `Accept-Encoding: ${encodings}\r\n`)).text).not.toContain('Content-Encoding')
  expect(ask(get('/', 'Accept-Encoding: br, gzip;q=0.5\r\n')).text).toContain('Content-Encoding: gzip')
})

test.each([
  ['GET /.htaccess', '403 Forbidden'],
  ['POST /css', '301 Moved Permanently'],
  ['TRACE /', '405 Method Not Allowed'],
])('a broken body of a request that is refused names both errors: %s', (request, first) => {
  const { text } = ask(`${request} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n`)
  expect(text).toMatch(/^HTTP\/1.1 400 Bad Request/)
  expect(text).toContain(`Additionally, a ${first}\nerror was encountered`)
})

test('a whole URL needs a Host field besides', () => {
  expect(ask('GET http://a/ HTTP/1.1\r\n\r\n').text).toMatch(/^HTTP\/1.1 400 /)
  expect(ask('GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n').text).toMatch(/^HTTP\/1.1 200 /)
})
