import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mask } from '../../../../../lab/httpproxy/squid/mask.ts'
import { probes } from '../../../../../lab/httpproxy/squid/corpus.ts'
import { readAnswers } from '../../../../../test/probe.ts'
import { differences, replay } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { squidSession } from './session.ts'

const squid = () => squidSession({ banner: 'squid/5.7', port: 3_128, hostName: () => 'proxy-judge' })
const ask = (...send: string[]) => replay({ name: '', send }, squid())
const open = () => {
  const session = squid()(testContext())
  session.open()
  return session
}
const fieldsOf = (request: string) =>
  open()
    .receive(Buffer.from(request, 'latin1'))
    .flatMap(({ events = [] }) => events.map(({ fields }) => fields))

test('99 of 100 probes are answered as squid 5.7 answers them', () => {
  const answers = readAnswers(new URL('../../../../../lab/httpproxy/squid/', import.meta.url))
  const found = differences(probes, answers, squid, mask)
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(found.length / probes.length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(0.01)
})

test('a request raises its event with the password of Basic, and other credentials as they were sent', () => {
  const get = (credentials: string) =>
    fieldsOf(`GET http://a/b?c HTTP/1.1\r\nUser-Agent: curl\r\nProxy-Authorization: ${credentials}\r\n\r\n`)
  const asked = { URL: 'http://a/b?c', USERAGENT: 'curl' }
  expect(get('Basic YWRtaW46bGV0bWVpbg==')).toEqual([{ ...asked, USERNAME: 'admin', PASSWORD: 'letmein' }])
  expect(get('NTLM TlRMTVNTUAAB')).toEqual([{ ...asked, USERNAME: '', PASSWORD: 'NTLM TlRMTVNTUAAB' }])
  expect(get('')).toEqual([{ ...asked, USERNAME: '', PASSWORD: '' }])
})

test('CONNECT is a touch, to an address that is none as well', () => {
  for (const target of ['example.com:443', '[::1]:22', 'example.com:70000'])
    expect(fieldsOf(`CONNECT ${target} HTTP/1.1\r\n\r\n`)).toEqual([
      { URL: target, USERAGENT: '', USERNAME: '', PASSWORD: '' },
    ])
  expect(ask('CONNECT [::1]:22 HTTP/1.1\r\n\r\n').text).toMatch(/^HTTP\/1.1 407 [^]*\[::1\]:22<\/a>/)
  expect(ask('CONNECT a:70000 HTTP/1.1\r\n\r\n').text).toMatch(/^HTTP\/1.1 400 [^]*ERR_INVALID_URL 0/)
})

test('a request in pieces is answered like a whole one', () => {
  const request = 'POST http://a/ HTTP/1.1\r\nContent-Length: 5\r\n\r\nabcdeGET http://b/ HTTP/1.1\r\n\r\n'
  expect(ask(...request)).toEqual(ask(request))
})

test('the page about an expectation tells the newest version, whichever was spoken', () => {
  const page = ask('GET http://a/ HTTP/1.0\r\nExpect: x\r\n\r\n').text
  expect(page).toMatch(/^HTTP\/1.1 417 [^]*<pre>GET \/ HTTP\/1.1\r\nExpect: x/)
})

test('a head of 64 KiB is answered, and a longer one refused', () => {
  const get = (bytes: number) => {
    const begin = 'GET http://a/ HTTP/1.1\r\nX: '
    return ask(`${begin}${'a'.repeat(bytes - begin.length - 4)}\r\n\r\n`).text.slice(0, 12)
  }
  expect([get(65_536), get(65_537)]).toEqual(['HTTP/1.1 407', 'HTTP/1.1 431'])
  expect(ask('G'.repeat(200_000)).text).toMatch(/^HTTP\/1.1 400 [^]*ERR_PROTOCOL_UNKNOWN/)
})

test('a connection is closed after five minutes without a whole request, and two minutes behind an answer', () => {
  const session = squid()(testContext())
  expect(session.open().wakeMs).toBe(300_000)
  expect(session.receive(Buffer.from('GET'))).toEqual([])
  expect(session.receive(Buffer.from(' http://a/ HTTP/1.1\r\n\r\n'))).toHaveLength(1)
  expect(session.wake()).toMatchObject({ holds: false, wakeMs: 120_000 })
  expect(session.wake()).toMatchObject({ close: 'end' })
})

test('a client that ends right behind two requests has an answer to the first', () => {
  const session = open()
  const replies = session.receive(Buffer.from('GET http://a/ HTTP/1.1\r\n\r\n'.repeat(2)))
  expect(replies).toMatchObject([{ holds: true }])
  expect(session.ended()?.send).toBeUndefined()
})

test('what follows CONNECT is the next request, whatever its length', () => {
  const { text } = ask('CONNECT a:443 HTTP/1.1\r\nContent-Length: 3\r\n\r\nGET http://b/ HTTP/1.1\r\n\r\n')
  expect(text.match(/HTTP\/1.1 407/g)).toHaveLength(2)
})

test('a length that was said twice is repeated last, and the version as it was sent', () => {
  const { text } = ask('GET http://a/ HTTP/1.2\r\nContent-Length: 05, 5\r\nA: b\r\n\r\n')
  expect(text).toContain('<pre>GET / HTTP/1.2\r\nA: b\r\nContent-Length: 5\r\n\r\n</pre>')
})

test('no garbage makes the session throw', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'GET ',
      'CONNECT ',
      'http://',
      '[',
      ']',
      ':',
      '@',
      ' HTTP/1.1\r\n',
      '\r\n',
      '\0',
      'Transfer-Encoding: chunked\r\n',
    ),
    fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)), maxLength: 50 }),
  )
  fc.assert(
    fc.property(fc.array(piece), (send) => void ask(...send)),
    { numRuns: 300 },
  )
})
