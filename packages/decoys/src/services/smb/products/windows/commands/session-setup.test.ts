// Claims of [MS-SMB2] and [MS-NLMP] about logins, by section.
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { fromFileTime } from '../../../../../windows/filetime.ts'
import { COMMAND } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { join, u16, zeros } from '../../../../../windows/fields.ts'
import { der } from '@rookery/kernel/der.ts'
import { EMPTY_NT_HASH, ntlmV2Key } from '../../../../../windows/netntlm.ts'
import { connected, setupBody, smbClient } from '../../../../../../lab/smb/windows/client.ts'
import {
  initToken,
  innerToken,
  negotiateToken,
  readChallenge,
} from '../../../../../../lab/windows/ntlm-client.ts'

const PASSWORD = Buffer.alloc(16, 7)
const KERBEROS = der(0x06, Buffer.from('2a864886f712010202', 'hex'))
const NTLM = der(0x06, Buffer.from('2b06010401823702020a', 'hex'))

const negotiated = (settings = {}) => {
  const client = smbClient({ settings })
  client.negotiate(0x0210)
  return client
}
const challengeOf = (settings = {}, token = negotiateToken()) => {
  const client = negotiated(settings)
  const { body } = client.request(COMMAND.sessionSetup, setupBody(initToken(token)))
  return readChallenge(innerToken(body))
}

/** AV_PAIRs by their id ([MS-NLMP] 2.2.2.1). */
function pairsOf(info: Buffer): Map<number, Buffer> {
  const pairs = new Map<number, Buffer>()
  for (let rest = info; rest.length >= 4; rest = rest.subarray(4 + rest.readUInt16LE(2)))
    pairs.set(rest.readUInt16LE(0), rest.subarray(4, 4 + rest.readUInt16LE(2)))
  return pairs
}

it('[MS-SMB2] 3.3.5.5.1: the first answer is STATUS_MORE_PROCESSING_REQUIRED with a session id', () => {
  const { header } = negotiated().request(COMMAND.sessionSetup, setupBody(initToken(negotiateToken())))
  expect(header.status).toBe(STATUS.moreProcessingRequired)
  expect(header.sessionId).not.toBe(0n)
})

it('[MS-NLMP] 2.2.1.2: the challenge has the version of the claimed system', () => {
  expect(challengeOf().build).toBe(17_763)
  expect(challengeOf({ 'smb.mode': 'windows-10' }).build).toBe(19_041)
})

it('[MS-NLMP] 2.2.2.1: the target information names computer and domain, and the time', () => {
  const { info, target } = challengeOf({
    'smb.domain': 'corp.example.net',
    'smb.workgroup': 'CORP',
    'smb.netbios_domain.enabled': true,
  })
  const text = (id: number): string | undefined => pairsOf(info).get(id)?.toString('utf16le')
  expect([1, 2, 3, 4, 5].map(text)).toEqual([
    'FILES',
    'CORP',
    'FILES.corp.example.net',
    'corp.example.net',
    'corp.example.net',
  ])
  expect(target.toString('utf16le')).toBe('CORP')
  expect(fromFileTime(pairsOf(info).get(7)!.readBigUInt64LE())).toBe(Date.UTC(2026, 10, 20, 9, 39, 2))
})

it('[MS-NLMP] 3.2.5.1.1: a machine without a domain is its own domain', () => {
  const { info, flags } = challengeOf()
  const text = (id: number): string | undefined => pairsOf(info).get(id)?.toString('utf16le')
  expect([1, 2, 3, 4, 5].map(text)).toEqual(['FILES', 'FILES', 'FILES', 'FILES', undefined])
  expect(flags & 0x30000).toBe(0x20000)
})

it('[MS-NLMP] 3.2.5.1.1: every challenge is another one', () => {
  expect(challengeOf().challenge).not.toEqual(challengeOf().challenge)
})

it('[MS-SMB2] 3.3.5.5.3: an unknown user is a guest, and the session says so', () => {
  const { header, body } = negotiated().login({ user: 'bob', ntHash: PASSWORD })
  expect([header.status, body.readUInt16LE(2)]).toEqual([STATUS.success, 1])
})

it('[MS-SMB2] 3.3.5.5.3: somebody without a name has a null session', () => {
  const { header, body } = negotiated().login({ user: '' })
  expect([header.status, body.readUInt16LE(2)]).toEqual([STATUS.success, 2])
})

it('[MS-SMB2] 3.3.5.5.3: a wrong password of a user that exists is STATUS_LOGON_FAILURE', () => {
  const { header, body } = negotiated().login({ user: 'administrator', ntHash: PASSWORD })
  expect([header.status, body.length]).toEqual([STATUS.logonFailure, 9])
})

it('[MS-ERREF] 2.3.1: without guests an unknown user is refused, and Guest is disabled', () => {
  const settings = { 'smb.guest.enabled': false }
  expect(negotiated(settings).login({ user: 'bob', ntHash: PASSWORD }).header.status).toBe(
    STATUS.logonFailure,
  )
  expect(negotiated(settings).login({ user: 'Guest', ntHash: PASSWORD }).header.status).toBe(0xc0000072)
})

it('[MS-SMB2] 3.3.5.5: a session id that is not known is STATUS_USER_SESSION_DELETED', () => {
  const body = setupBody(initToken(negotiateToken()))
  const { header } = negotiated().request(COMMAND.sessionSetup, body, { sessionId: 77n })
  expect(header.status).toBe(STATUS.userSessionDeleted)
})

it('[MS-SMB2] 3.3.5.5: a session cannot be bound to a connection that it does not belong to', () => {
  const { header } = negotiated().request(COMMAND.sessionSetup, setupBody(initToken(negotiateToken()), 1))
  expect(header.status).toBe(STATUS.requestNotAccepted)
})

it('[MS-SPNG] 3.2.5.2: a client that prefers Kerberos is asked for NTLM', () => {
  const client = negotiated()
  const mechanisms = der(0x30, KERBEROS, NTLM)
  const first = client.request(COMMAND.sessionSetup, setupBody(initToken(Buffer.from('ticket'), mechanisms)))
  expect(first.header.status).toBe(STATUS.moreProcessingRequired)
  expect(first.body.includes(NTLM)).toBe(true)
  client.state.sessionId = first.header.sessionId
  const next = client.request(COMMAND.sessionSetup, setupBody(initToken(negotiateToken())))
  expect(innerToken(next.body).toString('latin1', 0, 7)).toBe('NTLMSSP')
})

it('[MS-SMB2] 3.3.5.5.3: a client without NTLM is refused', () => {
  const mechanisms = der(0x30, KERBEROS)
  const { header } = negotiated().request(
    COMMAND.sessionSetup,
    setupBody(initToken(Buffer.from('ticket'), mechanisms)),
  )
  expect(header.status).toBe(STATUS.invalidParameter)
})

it('[MS-NLMP] 2.2.1.1: NTLM without SPNEGO is answered without SPNEGO', () => {
  const { body } = negotiated().request(COMMAND.sessionSetup, setupBody(negotiateToken()))
  expect(body.toString('latin1', 8, 15)).toBe('NTLMSSP')
})

it('[MS-SMB2] 3.3.5.6: behind LOGOFF the session is deleted', () => {
  const client = connected()
  expect(client.request(COMMAND.logoff, join(u16(4), u16(0))).header.status).toBe(STATUS.success)
  expect(client.connect().header.status).toBe(STATUS.userSessionDeleted)
})

it('[MS-SMB2] 3.3.5.2.9: a request before the login is over is refused', () => {
  const client = negotiated()
  client.state.sessionId = client.request(
    COMMAND.sessionSetup,
    setupBody(initToken(negotiateToken())),
  ).header.sessionId
  expect(client.connect().header.status).toBe(STATUS.userSessionDeleted)
})

it('[MS-SMB2] 3.3.5.5: a connection takes 16 sessions', () => {
  const client = negotiated()
  const setup = () =>
    client.request(COMMAND.sessionSetup, setupBody(initToken(negotiateToken()))).header.status
  const statuses = Array.from({ length: 17 }, setup)
  expect(statuses.slice(0, 16)).toEqual(Array(16).fill(STATUS.moreProcessingRequired))
  expect(statuses[16]).toBe(STATUS.insufficientResources)
})

it('a login raises 5010 before its answer, with the response as crackers read it', () => {
  const client = negotiated()
  client.login({ user: 'Administrator', domain: 'CORP', workstation: 'LAPTOP-7', ntHash: PASSWORD })
  const [event] = client.events
  expect(event).toMatchObject({
    logtype: '5010',
    fields: {
      USER: 'Administrator',
      DOMAIN: 'CORP',
      LOCALNAME: 'FILES',
      REMOTENAME: 'LAPTOP-7',
      SMBVER: '2.1',
      SMBARCH: 'Windows 10.0.19041',
      STATUS: 'STATUS_LOGON_FAILURE',
      LOGINTYPE: 'NTLMv2',
    },
  })
  const [user, , domain, challenge, proof, blob] = String(event?.fields['RESPONSE']).split(':')
  const key = ntlmV2Key(PASSWORD, user!, domain!)
  const expected = createHmac('md5', key)
    .update(Buffer.from(challenge! + blob!, 'hex'))
    .digest('hex')
  expect(proof).toBe(expected)
})

it('an anonymous login raises 5010, too', () => {
  const client = negotiated()
  client.login({ user: '', domain: '' })
  expect(client.events[0]?.fields).toMatchObject({
    USER: 'ANONYMOUS LOGON',
    LOGINTYPE: 'Anonymous',
    RESPONSE: '',
    STATUS: 'STATUS_SUCCESS',
  })
})

it('[MS-NLMP] 3.3.2: an empty password of Guest is recognised, and gives the session a key', () => {
  const client = negotiated()
  client.login({ user: 'Guest', ntHash: EMPTY_NT_HASH })
  client.connect()
  const wrong = client.request(COMMAND.echo, join(u16(4), u16(0)), { flags: 8 })
  expect(wrong.header.status).toBe(STATUS.accessDenied)
})

it('garbage in place of a token is STATUS_INVALID_PARAMETER, and its session is gone', () => {
  const client = negotiated()
  for (const token of [zeros(0), Buffer.from('60820fff', 'hex'), Buffer.from('NTLMSSP\0\x09\0\0\0')]) {
    const { header } = client.request(COMMAND.sessionSetup, setupBody(token), { sessionId: 0n })
    expect(header.status).toBe(STATUS.invalidParameter)
  }
})
