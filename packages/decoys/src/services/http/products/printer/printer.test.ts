// The web server of a printer, by its documents: no real one was there to compare with.
import { expect, test } from 'vitest'
import { replay } from '../../../../../test/replay.ts'
import { deriveFrom, testContext } from '../../../../../test/session-context.ts'
import { webSession } from '../../servers.ts'
import { loadSkin } from '../../load-skin.ts'

const startSession = webSession({ banner: '', skin: loadSkin('printer'), headers: {} })
const ask = (...send: string[]) => replay({ name: '', send }, startSession)
const get = (path: string, ...fields: string[]): string =>
  `GET ${path} HTTP/1.1\r\nHost: printer\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`

const eventsOf = (text: string) => {
  const session = startSession(testContext())
  session.open()
  return session.receive(Buffer.from(text)).flatMap(({ events = [] }) => events)
}

test('the status page names the model, and is shown to everybody', () => {
  const { text, closed } = ask(get('/main/main.html'))
  expect(text).toMatch(
    /^HTTP\/1\.1 200 OK\r\nCache-Control: no-cache\r\nContent-Length: \d+\r\nContent-Type: text\/html\r\n/,
  )
  expect(text).toContain('<title>Brother MFC-8860DN</title>')
  expect(closed).toBe(true)
})

test.each(['/admin/password.html', '/admin/general.html', '/admin'])(
  'the settings at %s ask for name and password (the manual: administrator’s settings)',
  (path) => {
    expect(ask(get(path)).text).toMatch(
      /^HTTP\/1\.1 401 Unauthorized\r\n[^]*WWW-Authenticate: Basic realm="debut"\r\n/,
    )
  },
)

test('a guess of name and password is a login, and is refused', () => {
  const guess = get(
    '/admin/password.html',
    `Authorization: Basic ${Buffer.from('admin:access').toString('base64')}`,
  )
  expect(ask(guess).text).toMatch(/^HTTP\/1\.1 401 /)
  expect(eventsOf(guess)).toMatchObject([
    { logtype: '3001', fields: { USERNAME: 'admin', PASSWORD: 'access', SKIN: 'printer', RESPONSE: 401 } },
  ])
})

test.each([
  ['a head of 4 KiB', `GET / HTTP/1.1\r\nA: ${'x'.repeat(4_100)}`, '400 Bad Request'],
  ['a page that is not there', get('/none'), '404 Not Found'],
  ['a folder', get('/main/'), '404 Not Found'],
  ['a path above the root', get('/../skin.json'), '404 Not Found'],
])('%s is answered, and the connection closes', (_, text, status) => {
  const answer = ask(text)
  expect(answer.text).toMatch(new RegExp(`^HTTP/1\\.[01] ${status}\r\n`))
  expect(answer.closed).toBe(true)
})

test('two printers have printed different numbers of pages, and a day later each has printed more', () => {
  const page = (bird: string, now: number): string => {
    const session = startSession(testContext({ derive: deriveFrom(bird), now: () => now }))
    session.open()
    return session
      .receive(Buffer.from(get('/main/maintenance.html')))
      .map(({ send = '' }) => Buffer.from(send).toString('latin1'))
      .join('')
  }
  const valueOf = (text: string, name: string): number =>
    Number(new RegExp(`<th>${name}</th>\\s*<td>(\\d+)(?: %)?</td>`).exec(text)?.[1])
  const pages = (text: string): number => valueOf(text, 'Page Counter')
  const tuesday = Date.UTC(2026, 10, 24)
  const first = page('bird-1', tuesday)
  expect(pages(first)).toBe(
    ['Prints', 'Copies', 'Faxes'].reduce((sum, name) => sum + valueOf(first, name), 0),
  )
  expect(valueOf(first, 'Paper Jams')).toBeGreaterThan(0)
  expect(valueOf(first, 'Drum Life')).toBeLessThanOrEqual(100)
  expect(pages(page('bird-2', tuesday))).not.toBe(pages(first))
  expect(pages(page('bird-1', tuesday + 86_400_000))).toBeGreaterThan(pages(first))
})
