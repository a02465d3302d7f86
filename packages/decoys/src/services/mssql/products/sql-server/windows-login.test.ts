// Logins that Windows checks: [MS-TDS] 2.2.6.8 and 2.2.7.22, [MS-NLMP], RFC 4178.
import { expect, test } from 'vitest'
import {
  authenticateToken,
  initToken,
  innerToken,
  negotiateToken,
  readChallenge,
  responseToken,
} from '../../../../../lab/windows/ntlm-client.ts'
import { der } from '@rookery/kernel/der.ts'
import { NTLM } from '../../../../windows/spnego.ts'
import {
  login,
  packet,
  packetsOf,
  prelogin,
  refusalOf,
  sspiOf,
  TDS,
  TYPE,
} from '../../../../../lab/mssql/client.ts'
import { openServer } from '../../service.ts'
import { NAMES } from '../../../../../lab/mssql/conversation.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { versionNamed } from './profile.ts'

const HASH = Buffer.alloc(16, 7)
const KERBEROS = Buffer.from('2a864886f712010202', 'hex')

/** A connection on which one token follows the other. */
function openLogin(over: { version?: string; names?: object } = {}) {
  const session = openServer(versionNamed(over.version ?? '2019'), { ...NAMES, ...over.names })(testContext())
  session.open()
  const say = (bytes: Buffer) => {
    const replies = session.receive(bytes)
    const sent = packetsOf(Buffer.concat(replies.map(({ send = '' }) => Buffer.from(send))))
    return { payload: sent[0]?.payload ?? Buffer.alloc(0), replies }
  }
  return {
    begin: (token: Buffer, more = {}) =>
      say(packet(TYPE.login, login({ user: '', password: '', sspi: token, ...more }))),
    goOn: (token: Buffer) => say(packet(TYPE.sspi, token)),
    say,
    closed: () => session.closed(),
  }
}

test('2.2.7.22: a bare NTLM message is answered by a bare challenge, with names, clock and build of the machine', () => {
  const challenge = sspiOf(openLogin().begin(negotiateToken()).payload)
  expect(challenge.toString('latin1', 0, 8)).toBe('NTLMSSP\0')
  const { info, build, target } = readChallenge(challenge)
  expect([target.toString('utf16le'), build]).toEqual(['DB-7', 17_763])
  expect(info.toString('utf16le')).toContain('DB-7')
})

test('[MS-NLMP] 2.2.2.1: a member of a domain names it', () => {
  const names = {
    'smb.netbios_domain.enabled': true,
    'smb.domain': 'corp.example.net',
    'smb.workgroup': 'CORP',
  }
  const { info, target } = readChallenge(sspiOf(openLogin({ names }).begin(negotiateToken()).payload))
  expect(target.toString('utf16le')).toBe('CORP')
  expect(info.toString('utf16le')).toContain('DB-7.corp.example.net')
})

test('2.2.6.8: SPNEGO around NTLM is answered by SPNEGO', () => {
  const answer = sspiOf(openLogin().begin(initToken(negotiateToken())).payload)
  expect(answer[0]).toBe(0xa1)
  expect(readChallenge(innerToken(answer)).build).toBe(17_763)
})

test('RFC 4178, 4.2.2: a client that prefers Kerberos is asked for NTLM', () => {
  const { begin, goOn } = openLogin()
  const mechanisms = der(0x30, der(0x06, KERBEROS), der(0x06, NTLM))
  const asked = sspiOf(begin(initToken(Buffer.from('ticket'), mechanisms)).payload)
  expect(asked.includes(NTLM)).toBe(true)
  expect(readChallenge(innerToken(sspiOf(goOn(responseToken(negotiateToken())).payload))).build).toBe(17_763)
})

test.each([
  ['2012', 'Windows'],
  ['2014', 'Windows'],
  ['2016', 'Windows'],
  ['2017', 'Integrated'],
  ['2022', 'Integrated'],
])('2.2.7.10: SQL Server %s refuses with 18452, and speaks of %s authentication', (version, kind) => {
  const { begin, goOn } = openLogin({ version })
  const challenge = sspiOf(begin(negotiateToken()).payload)
  const { payload, replies } = goOn(
    authenticateToken(challenge, { user: 'bob', domain: 'CORP', ntHash: HASH }),
  )
  expect(refusalOf(payload)).toMatchObject({
    number: 18_452,
    state: 1,
    class: 14,
    text: `Login failed. The login is from an untrusted domain and cannot be used with ${kind} authentication.`,
  })
  expect(replies[0]!.close).toBe('end')
})

test('a login of Windows is one event with the line that crackers read', () => {
  const { begin, goOn, closed } = openLogin()
  const challenge = sspiOf(begin(initToken(negotiateToken())).payload)
  const { replies } = goOn(
    responseToken(authenticateToken(innerToken(challenge), { user: 'bob', domain: 'CORP', ntHash: HASH })),
  )
  expect(replies.flatMap(({ events }) => events ?? [])).toMatchObject([
    {
      logtype: '9002',
      fields: {
        USERNAME: 'bob',
        DOMAINNAME: 'CORP',
        HOSTNAME: 'ATTACKER',
        APPNAME: 'sqlcmd',
        SERVERNAME: '192.0.2.1',
        PASSWORD: '<Sent as NTLM response>',
        RESPONSE: expect.stringMatching(/^bob::CORP:[0-9a-f]{16}:[0-9a-f]{32}:0101[0-9a-f]+$/) as string,
      },
    },
  ])
  expect(closed()).toEqual([])
})

test('[MS-NLMP] 3.2.5.1.2: nobody by name is a user of Windows, who may not log in', () => {
  const { begin, goOn } = openLogin()
  const challenge = sspiOf(begin(negotiateToken()).payload)
  const { payload, replies } = goOn(authenticateToken(challenge, { user: '', domain: '' }))
  expect(refusalOf(payload)).toMatchObject({
    number: 18_456,
    text: "Login failed for user 'NT AUTHORITY\\ANONYMOUS LOGON'.",
  })
  expect(replies[0]!.events).toMatchObject([
    { fields: { USERNAME: 'NT AUTHORITY\\ANONYMOUS LOGON', PASSWORD: '' } },
  ])
})

test('a client that leaves with the challenge is reported at its close', () => {
  const { begin, closed } = openLogin()
  begin(negotiateToken())
  expect(closed()).toMatchObject([
    { logtype: '9002', fields: { USERNAME: '', HOSTNAME: 'ATTACKER', RESPONSE: '' } },
  ])
})

test.each<[string, Buffer]>([
  ['no token', Buffer.from('hello')],
  ['an answer without a challenge', authenticateToken(Buffer.alloc(60), { user: 'bob' })],
  ['SPNEGO without NTLM', initToken(Buffer.from('x'), der(0x30, der(0x06, KERBEROS)))],
])('%s in the login is refused with 18452, and reported', (_, token) => {
  const { payload, replies } = openLogin().begin(token)
  expect(refusalOf(payload).number).toBe(18_452)
  expect(replies[0]!.events).toMatchObject([{ logtype: '9002' }])
})

test('2.2.6.4: a token behind cbSSPILong is read, and one of no length is refused', () => {
  const long = Buffer.concat([negotiateToken(), Buffer.alloc(66_000)])
  const { say } = openLogin()
  const payload = login({ sspi: long, isSspiLong: true })
  const parts = Array.from({ length: Math.ceil(payload.length / 30_000) }, (_, i) =>
    payload.subarray(i * 30_000, (i + 1) * 30_000),
  )
  const bytes = parts.map((part, i) => packet(TYPE.login, part, { status: i === parts.length - 1 ? 1 : 0 }))
  expect(sspiOf(say(Buffer.concat(bytes)).payload).toString('latin1', 0, 7)).toBe('NTLMSSP')
  expect(refusalOf(openLogin().begin(Buffer.alloc(0)).payload).number).toBe(18_452)
})

test('2.2.6.8: only SSPI may follow the challenge', () => {
  const { begin, say } = openLogin()
  begin(negotiateToken())
  const { payload, replies } = say(packet(TYPE.login, login()))
  expect([payload.length, replies[0]!.close]).toEqual([0, 'end'])
})

test('2.2.7.10: a client of TDS 7.1 is refused in its own form', () => {
  const { begin, goOn, say } = openLogin()
  say(packet(TYPE.prelogin, prelogin()))
  const challenge = sspiOf(begin(negotiateToken(), { version: TDS.v71 }).payload)
  expect(
    refusalOf(goOn(authenticateToken(challenge, { user: 'a', ntHash: HASH })).payload, false).rowBytes,
  ).toBe(4)
})
