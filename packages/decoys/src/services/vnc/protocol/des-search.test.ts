// The search by its own DES against OpenSSL's.
import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { COMMON_PASSWORDS } from '../../../session/common-passwords.data.ts'
import { keySearch } from './des-search.ts'
import { guessPassword, responseTo } from './guess.ts'

const encrypted = (key: Buffer, block: Buffer): Buffer => {
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false)
  return Buffer.concat([cipher.update(block), cipher.final()])
}

test('each of 200 keys is found by a block that OpenSSL encrypted with it, and no other', () => {
  const keys = Array.from({ length: 200 }, () => randomBytes(8))
  const find = keySearch(keys)
  for (const [index, key] of keys.entries()) {
    const block = randomBytes(8)
    expect(find(block, encrypted(key, block)), key.toString('hex')).toBe(index)
    expect(find(block, randomBytes(8))).toBeUndefined()
  }
})

test('each common password is read from its response, as far as VNC tells passwords apart', () => {
  expect(COMMON_PASSWORDS.length).toBeGreaterThan(1_000)
  for (const password of COMMON_PASSWORDS.filter((_, at) => at % 7 === 0)) {
    const challenge = randomBytes(16)
    expect(guessPassword(challenge, responseTo(challenge, password))?.slice(0, 8)).toBe(password.slice(0, 8))
  }
})

test('a response whose halves are not of one password is none', () => {
  const challenge = randomBytes(16)
  const response = responseTo(challenge, 'letmein')
  response[15]! ^= 1
  expect(guessPassword(challenge, response)).toBeUndefined()
})
