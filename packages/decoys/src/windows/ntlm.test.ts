// SPNEGO and NTLM: the vectors of [MS-NLMP] 4.2, and what clients send.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { join, u32, zeros } from './fields.ts'
import { der } from '@rookery/kernel/der.ts'
import { readAll, readDer } from './read-der.ts'
import { crackerLine, exportedSessionKey, ntlmV2Key, sessionBaseKey } from './netntlm.ts'
import { challengeMessage, clientVersion, messageType, NTLM_FLAG, readAuthenticate } from './ntlm.ts'
import { rc4 } from './rc4.ts'
import { readClientToken, serverOffer, serverResponse } from './spnego.ts'
import { authenticateToken, initToken, negotiateToken, responseToken } from '../../lab/windows/ntlm-client.ts'

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex')

// [MS-NLMP] 4.2.1 and 4.2.4: user User, domain Domain, password Password.
const NT_HASH = hex('a4f49c406510bdcab6824ee7c30fd852')
const CHALLENGE = hex('0123456789abcdef')
const TEMP = join(
  hex('0101000000000000 0000000000000000 aaaaaaaaaaaaaaaa 00000000'),
  hex('02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000 00000000'),
)
const PROOF = hex('68cd0ab851e51c96aabc927bebef6a1c')
const login = {
  lmResponse: zeros(24),
  ntResponse: join(PROOF, TEMP),
  domain: 'Domain',
  user: 'User',
  workstation: 'COMPUTER',
  encryptedKey: hex('c5dad2544fc9799094ce1ce90bc9d03e'),
  flags: 0xe28a8233,
}

it('[MS-NLMP] 4.2.4.1.1: NTOWFv2', () => {
  expect(ntlmV2Key(NT_HASH, 'User', 'Domain')).toEqual(hex('0c868a403bfd7a93a3001ef22ef02e3f'))
})

it('[MS-NLMP] 4.2.4.1.2: the session base key of a right response', () => {
  expect(sessionBaseKey(NT_HASH, login, CHALLENGE)).toEqual(hex('8de40ccadbc14a82f15cb0ad0de95ca3'))
})

it('[MS-NLMP] 3.3.2: a response to another challenge or password has no key', () => {
  expect(sessionBaseKey(NT_HASH, login, zeros(8))).toBeUndefined()
  expect(sessionBaseKey(zeros(16), login, CHALLENGE)).toBeUndefined()
})

it('[MS-NLMP] 4.2.4.2.3: the encrypted session key is unwrapped by RC4', () => {
  const base = sessionBaseKey(NT_HASH, login, CHALLENGE)!
  expect(rc4(base, login.encryptedKey)).toEqual(Buffer.alloc(16, 0x55))
})

it('RFC 6229, 2: RC4 with a key of 40 bits', () => {
  expect(rc4(hex('0102030405'), zeros(16))).toEqual(hex('b2396305f03dc027ccc3524a0a1118a8'))
})

it('a response of NTLMv2 becomes the line that crackers read', () => {
  expect(crackerLine(login, CHALLENGE)).toBe(
    `User::Domain:0123456789abcdef:${PROOF.toString('hex')}:${TEMP.toString('hex')}`,
  )
})

it('a response of NTLMv1 becomes the line that crackers read', () => {
  const ntResponse = Buffer.alloc(24, 2)
  expect(crackerLine({ ...login, ntResponse, lmResponse: Buffer.alloc(24, 1) }, CHALLENGE)).toBe(
    `User::Domain:${'01'.repeat(24)}:${'02'.repeat(24)}:0123456789abcdef`,
  )
})

it('names cannot break the form of the line', () => {
  const line = crackerLine({ ...login, user: 'a:b\nc', domain: 'd\u2028:' }, CHALLENGE)
  expect(line.split(':').slice(0, 3)).toEqual(['a?b?c', '', 'd??'])
})

it('only an anonymous login and one with an empty password have a key that we know', () => {
  expect(exportedSessionKey({ ...login, flags: 0 }, CHALLENGE)).toBeUndefined()
  const nobody = { ...login, user: '', ntResponse: zeros(0), flags: 0 }
  expect(exportedSessionKey(nobody, CHALLENGE)).toEqual(zeros(16))
  const wrapped = { ...nobody, flags: 0x40000000, encryptedKey: rc4(zeros(16), Buffer.alloc(16, 9)) }
  expect(exportedSessionKey(wrapped, CHALLENGE)).toEqual(Buffer.alloc(16, 9))
})

const challenge = challengeMessage(0xe28a8233, {
  names: {
    isDomain: false,
    netbiosDomain: 'FILES',
    netbiosComputer: 'FILES',
    dnsDomain: 'FILES',
    dnsComputer: 'FILES',
  },
  challenge: CHALLENGE,
  time: 1n,
  build: 17_763,
})

it('[MS-NLMP] 2.2.1.3: names and responses are read out of AUTHENTICATE', () => {
  const credentials = { user: 'bob', domain: 'CORP', workstation: 'PC', ntHash: NT_HASH }
  const token = authenticateToken(challenge, credentials)
  expect(messageType(token)).toBe(3)
  const read = readAuthenticate(token)
  expect(read).toMatchObject({ user: 'bob', domain: 'CORP', workstation: 'PC' })
  expect(sessionBaseKey(NT_HASH, read!, CHALLENGE)).toBeDefined()
})

it('[MS-NLMP] 2.2.2.10: the version of the client is read if it sends one', () => {
  expect(clientVersion(negotiateToken(), 0x2000000)).toBe('10.0.19041')
  expect(clientVersion(negotiateToken(), 0)).toBeUndefined()
})

it('[MS-NLMP] 2.2.2.5: names of a client without Unicode are UTF-8, or else Latin-1', () => {
  const named = (user: string): string | undefined => {
    const token = Buffer.from(authenticateToken(challenge, { user: 'x'.repeat(user.length / 2) }))
    token.write(user, token.readUInt32LE(40), 'latin1')
    token.writeUInt32LE(token.readUInt32LE(60) & ~NTLM_FLAG.unicode, 60)
    return readAuthenticate(token)?.user
  }
  expect(named('J\xfcrgen')).toBe('Jürgen')
  expect(named('J\xc3\xbcrgen!')).toBe('Jürgen!')
})

it('a part that lies outside of the message is refused', () => {
  const token = Buffer.from(authenticateToken(challenge, { user: 'bob' }))
  u32(token.length).copy(token, 40)
  expect(readAuthenticate(token)).toBeUndefined()
})

it('[MS-SPNG] 2.2.1: the offer has a hint, and Kerberos only in a domain', () => {
  const offer = serverOffer(false)
  expect(offer.includes(Buffer.from('not_defined_in_RFC4178@please_ignore'))).toBe(true)
  expect(offer.includes(hex('2a864886f712010202'))).toBe(false)
  expect(serverOffer(true).includes(hex('2a864886f712010202'))).toBe(true)
  expect(readDer(offer)).toMatchObject({ tag: 0x60, rest: Buffer.alloc(0) })
})

it('RFC 4178, 4.2: tokens of clients are unwrapped', () => {
  const token = negotiateToken()
  expect(readClientToken(initToken(token))).toMatchObject({
    kind: 'init',
    offersNtlm: true,
    isNtlmFirst: true,
    token,
  })
  expect(readClientToken(responseToken(token))).toEqual({ kind: 'response', token })
  expect(readClientToken(token)).toEqual({ kind: 'raw', token })
})

it('RFC 4178, 4.2.2: an answer has a state, and the mechanism at first', () => {
  expect(serverResponse('accepted')).toEqual(hex('a1073005a0030a0100'))
  const first = serverResponse('incomplete', { names: true, token: hex('01') })
  expect(first).toEqual(hex('a11a3018a0030a0101a10c060a2b06010401823702020aa203040101'))
})

it('X.690, 8.1.3: lengths of one, two and three bytes', () => {
  for (const length of [0, 127, 128, 255, 256, 60_000]) {
    const value = readDer(join(der(4, zeros(length)), hex('ff')))
    expect([value?.content.length, value?.rest.length]).toEqual([length, 1])
  }
})

it('no bytes make a reader throw', () => {
  const tagged = fc.tuple(fc.constantFrom(0x60, 0xa1, 0x30, 0x04, 0x06), fc.uint8Array({ maxLength: 40 }))
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map(Buffer.from),
    tagged.map(([tag, content]) => der(tag, Buffer.from(content))),
    fc
      .uint8Array({ maxLength: 100 })
      .map((tail) => join(Buffer.from('NTLMSSP\0\x03\0\0\0', 'latin1'), Buffer.from(tail))),
  )
  fc.assert(
    fc.property(bytes, (garbage) => {
      readClientToken(garbage)
      readAll(garbage)
      readAuthenticate(garbage)
      clientVersion(garbage, 0xffffffff)
    }),
    { numRuns: 2_000 },
  )
})
