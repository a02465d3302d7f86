import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyHash, pairingPhrase, shortKeyHash } from './pairing.ts'
import { WORDS } from './words.data.ts'

test('there are 2,048 different words, of three to seven letters, in order', () => {
  expect(new Set(WORDS).size).toBe(2048)
  expect(WORDS.every((word) => /^[a-z]{3,7}$/.test(word))).toBe(true)
  expect([...WORDS].sort()).toEqual(WORDS)
})

test('both sides derive the same six words, and a third key other ones', async () => {
  const [bird, console, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const phrase = await pairingPhrase(bird, console)
  expect(phrase.split('-')).toHaveLength(6)
  expect(phrase.split('-').every((word) => WORDS.includes(word))).toBe(true)
  expect(await pairingPhrase(Buffer.from(bird), console)).toBe(phrase)
  expect(await pairingPhrase(bird, third)).not.toBe(phrase)
  expect(await pairingPhrase(console, bird)).not.toBe(phrase)
})

test('a phrase stays the same over releases', async () => {
  expect(await pairingPhrase(Buffer.alloc(32, 1), Buffer.alloc(32, 2))).toBe(
    'anvil-beast-toast-bull-tulip-exam',
  )
})

test('a key is named by its SHA-256', () => {
  const key = Buffer.from('hello')
  expect(keyHash(key)).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824')
  expect(shortKeyHash(key)).toBe('2cf24dba5fb0a30e26e83b2a')
})
