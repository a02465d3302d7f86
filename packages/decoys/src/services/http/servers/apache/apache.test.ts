import { expect, test } from 'vitest'
import { testContext } from '../../../../../test/session-context.ts'
import { apache, ask, get } from '../../testing/ask.ts'

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
  expect(ask('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741825\r\n\r\n').text).toMatch(
    /^HTTP\/1.1 413 /,
  )
})

test('Apache parts all its bodies of several ranges by one boundary', () => {
  const boundary = (): string | undefined =>
    /boundary=([\da-f]{1,16})\r/.exec(ask(get('/', 'Range: bytes=0-0,5-5\r\n')).text)?.[1]
  expect(boundary()).toMatch(/^[1-9a-f]/)
  expect(boundary()).toBe(boundary())
})

test('Apache closes behind the 101st request of a connection', () => {
  const { text } = ask(get('/nope').repeat(105))
  expect(text.match(/^HTTP\/1.1 404/gm)).toHaveLength(101)
  expect(text.match(/^Connection: close/gm)).toHaveLength(1)
})
