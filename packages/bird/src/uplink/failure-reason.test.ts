// What the log of a Bird says when the address of its console is wrong, or the console is not ready yet.
import { expect, test } from 'vitest'
import { failureReason } from './failure-reason.ts'

/** As Node 24 and `ws` word them. */
const FAILURES = [
  ['connect ECONNREFUSED 10.0.0.1:443', 'ECONNREFUSED', /ECONNREFUSED 10\.0\.0\.1:443: .*ROOKERY_TLS_LISTEN/],
  // Several addresses of one name: an AggregateError, without words.
  ['', 'ECONNREFUSED', /^ECONNREFUSED: nothing listens there/],
  ['getaddrinfo EAI_AGAIN consol.example.com', 'EAI_AGAIN', /consol\.example\.com: .*\/etc\/hosts/],
  ['getaddrinfo ENOTFOUND consol.example.com', 'ENOTFOUND', /consol\.example\.com: .*\/etc\/hosts/],
  ['connect EHOSTUNREACH 10.0.0.7:443', 'EHOSTUNREACH', /10\.0\.0\.7:443: no way leads there/],
  ['Opening handshake has timed out', undefined, /timed out: a firewall/],
  [
    'write EPROTO 40AD212A:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:tlsany_meth.c:77:\n',
    'EPROTO',
    /^the port answers without TLS: .*ROOKERY_TLS_LISTEN$/,
  ],
  ['socket hang up', 'ECONNRESET', /must begin with https$/],
] as const

test.each(FAILURES)('%j (%s) says what would be right', (message, code, said) => {
  expect(failureReason(Object.assign(new Error(message), { code }), '/link')).toMatch(said)
})

test('a connection that was lost later has its own words alone', () => {
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  expect(failureReason(lost, '/link')).toBe('read ECONNRESET')
})
