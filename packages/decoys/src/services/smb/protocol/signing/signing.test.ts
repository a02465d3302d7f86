import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { aesCmac } from './aes-cmac.ts'
import { deriveKey, isSignedBy, preauthHash, sign, signingKey, usualSigning } from './sign.ts'

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex')

const KEY = hex('2b7e151628aed2a6abf7158809cf4f3c')
const MESSAGE = hex(
  '6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710',
)

it.each([
  [0, 'bb1d6929e95937287fa37d129b756746'],
  [16, '070a16b46b4d4144f79bdd9dd04a287c'],
  [40, 'dfa66747de9ae63030ca32611497c827'],
  [64, '51f0bebf7e3b9d92fc49741779363cfe'],
])('RFC 4493, 4: AES-CMAC of %i bytes', (length, mac) => {
  expect(aesCmac(KEY, MESSAGE.subarray(0, length))).toEqual(hex(mac))
})

it('SP 800-108, 5.1: the counter, the label, a zero, the context and the length make the key', () => {
  const input = hex(
    `00000001 ${Buffer.from('SMB2AESCMAC').toString('hex')} 00 00 ${Buffer.from('SmbSign').toString('hex')} 00 00000080`,
  )
  const expected = createHmac('sha256', KEY).update(input).digest().subarray(0, 16)
  expect(deriveKey(KEY, 'SMB2AESCMAC', Buffer.from('SmbSign\0'))).toEqual(expected)
  expect(signingKey(KEY, 0x0300, Buffer.alloc(64))).toEqual(expected)
})

it('[MS-SMB2] 3.1.4.2: before 3.0 the session key signs; in 3.1.1 the hash of the messages changes the key', () => {
  expect(signingKey(KEY, 0x0210, Buffer.alloc(64))).toEqual(KEY)
  const first = preauthHash(Buffer.alloc(64), Buffer.from('negotiate'))
  expect(signingKey(KEY, 0x0311, first)).not.toEqual(signingKey(KEY, 0x0311, Buffer.alloc(64)))
})

it.each([0x0202, 0x0210, 0x0300, 0x0302, 0x0311] as const)(
  '[MS-SMB2] 3.1.5.1: a change breaks the signature in %i',
  (dialect) => {
    const message = sign(Buffer.alloc(80, 3), KEY, usualSigning(dialect))
    expect(isSignedBy(message, KEY, usualSigning(dialect))).toBe(true)
    for (const at of [0, 16, 50, 79]) {
      const changed = Buffer.from(message)
      changed[at]! ^= 1
      expect(isSignedBy(changed, KEY, usualSigning(dialect))).toBe(false)
    }
  },
)
