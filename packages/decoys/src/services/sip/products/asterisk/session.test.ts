import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DIGEST, NMAP, request, REQUESTS } from '../../../../../lab/sip/requests.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { sipByTcp, sipByUdp } from './session.ts'

function ask(message: string, start = sipByUdp) {
  const session = start(testContext({ src: { host: '203.0.113.9', port: 40_000 } }))
  session.open()
  return session.receive(Buffer.from(message, 'latin1'))
}
const text = (message: string, start = sipByUdp): string =>
  ask(message, start)
    .map(({ send = '' }) => send.toString('latin1'))
    .join('')
const status = (message: string): string => text(message).slice(8, 11)

test('a stranger is asked for a password, with what its request said and what was seen of it', () => {
  expect(text(request()).replace(/nonce="[^"]*",opaque="[^"]*"/, 'NONCE')).toBe(
    [
      'SIP/2.0 401 Unauthorized',
      'Via: SIP/2.0/UDP 198.51.100.7:5090;rport=40000;received=203.0.113.9;branch=z9hG4bK-776asdhds',
      'Call-ID: a84b4c76e66710@198.51.100.7',
      'From: "sip" <sip:100@198.51.100.7>;tag=1928301774',
      'To: <sip:100@192.0.2.1>;tag=z9hG4bK-776asdhds',
      'CSeq: 314 OPTIONS',
      'WWW-Authenticate: Digest realm="asterisk",NONCE,algorithm=md5,qop="auth"',
      'Server: Asterisk PBX 20.5.2',
      'Content-Length:  0\r\n\r\n',
    ].join('\r\n'),
  )
})

test('each challenge is fresh, and the same for every extension and every response', () => {
  const nonces = [1, 2].map(() => /nonce="([^"]*)"/.exec(text(request({ method: 'REGISTER' })))?.[1])
  expect(nonces[0]).toMatch(/^\d+\/[\da-f]{32}$/)
  expect(nonces[0]).not.toBe(nonces[1])
  for (const uri of ['sip:100@192.0.2.1', 'sip:admin@192.0.2.1'])
    for (const more of [[], [`Authorization: ${DIGEST}`]])
      for (const method of ['REGISTER', 'INVITE']) expect(status(request({ method, uri, more }))).toBe('401')
})

test.each([
  ['BYE', '481'],
  ['CANCEL', '481'],
  ['FOO', '501'],
  ['ACK', ''],
])('%s is answered %s', (method, expected) => {
  expect(status(request({ method }))).toBe(expected)
})

test.each([
  ['no hop left', request({ more: [] }).replace('Max-Forwards: 70', 'Max-Forwards: 0'), '483'],
  ['two lengths', request({ more: ['Content-Length: 7'] }), '400'],
  ['another method in CSeq', request({ cseq: '1 INVITE' }), '400'],
  ['no URI', request({ uri: 'nothing' }), '400'],
  ['no From', request().replace(/From: .*\r\n/, ''), '400'],
  ['a line that is no header', request({ more: ['what'] }), '400'],
  ['no Via', request().replace(/Via: .*\r\n/, ''), ''],
  ['a response', 'SIP/2.0 200 OK\r\n\r\n', ''],
  ['another protocol', 'GET / HTTP/1.0\r\n\r\n', ''],
  ['every contact', request({ method: 'REGISTER', more: ['Contact: *', 'Expires: 0'] }), '401'],
])('%s is answered as it deserves', (_, message, expected) => {
  expect(status(message)).toBe(expected)
})

test('compact names and folded lines are read, and an address alone gets its brackets', () => {
  const message = `OPTIONS sip:a SIP/2.0\r\nv: SIP/2.0/UDP a, SIP/2.0/TCP b;branch=c\r\nf: sip:a@b;tag=c\r\nt: sip:a@b\r\ni: 1\r\nCSeq: 1\r\n OPTIONS\r\nl: 0\r\n\r\n`
  const answer = text(message)
  expect(answer).toContain('Via: SIP/2.0/UDP a;received=203.0.113.9\r\nVia: SIP/2.0/TCP b;branch=c\r\n')
  expect(answer).toContain('From: <sip:a@b>;tag=c\r\nTo: <sip:a@b>;tag=')
  expect(answer).toContain('CSeq: 1 OPTIONS\r\n')
})

test('several messages in a segment, and one in pieces, are answered each', () => {
  const message = request({ method: 'INVITE', body: 'v=0\r\n' })
  expect(ask(message.repeat(3), sipByTcp)).toHaveLength(3)
  const session = sipByTcp(testContext())
  session.open()
  for (const byte of message.slice(0, -1)) expect(session.receive(Buffer.from(byte))).toEqual([])
  expect(session.receive(Buffer.from(message.slice(-1)))).toHaveLength(1)
  expect(text('\r\n\r\n', sipByTcp)).toBe('\r\n')
})

test('a stream of which nobody knows where a message ends is closed', () => {
  expect(ask(request({ more: ['Content-Length: 7'] }), sipByTcp)).toMatchObject([{ close: 'end' }])
})

test('a header of 64 KiB is dropped, and no datagram is answered with more than 1,472 bytes', () => {
  expect(text(`OPTIONS sip:a SIP/2.0\r\nX: ${'a'.repeat(65_536)}`, sipByTcp)).toBe('')
  expect(text(request({ more: [`X: ${'a'.repeat(9_000)}`] })).length).toBeGreaterThan(300)
  expect(text(request({ via: `SIP/2.0/UDP a;branch=${'b'.repeat(2_000)}` }))).toBe('')
})

test('a request raises its event with its headers, a digest whole', () => {
  const [reply] = ask(request({ method: 'REGISTER', more: [`Authorization: ${DIGEST}`] }))
  expect(reply?.events).toMatchObject([
    {
      logtype: '15001',
      fields: {
        HEADERS: {
          'Request-Line': 'REGISTER sip:100@192.0.2.1 SIP/2.0',
          'Call-ID': 'a84b4c76e66710@198.51.100.7',
          Authorization: DIGEST,
        },
      },
    },
  ])
  expect(ask(NMAP)[0]?.events).toHaveLength(1)
})

test('no garbage makes the session throw', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200 }),
      fc.nat(REQUESTS.length - 1),
      fc.nat(300),
      (junk, which, at) => {
        for (const start of [sipByTcp, sipByUdp])
          for (const { error } of ask(REQUESTS[which]!.slice(0, at) + junk, start))
            expect(error).toBeUndefined()
      },
    ),
    { numRuns: 400 },
  )
})
