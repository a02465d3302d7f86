import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { systemWorld } from '../world/system.ts'

/** The claims but for two ask nothing of the cost. */
const CHEAP = { logN: 4, r: 1, p: 1 }

const { random } = systemWorld({ send: () => Promise.reject(new Error('this test has no outside')) })

it('a password matches itself alone, whatever its characters', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: anyCharacter }),
      async (one, other) => {
        const kept = await hashPassword(random, one, CHEAP)
        expect(await isPassword(one, kept)).toBe(true)
        expect(await isPassword(other, kept)).toBe(one.normalize('NFKC') === other.normalize('NFKC'))
      },
    ),
  )
})

it('zeros behind a password make another one', async () => {
  const kept = await hashPassword(random, 'correct horse', CHEAP)
  expect(await isPassword('correct horse\0', kept)).toBe(false)
  expect(await isPassword('', await hashPassword(random, '\0', CHEAP))).toBe(false)
})

it('é is é, written as one sign or as two', async () => {
  expect(
    await isPassword('caf\u0065\u0301 at noon', await hashPassword(random, 'caf\u00e9 at noon', CHEAP)),
  ).toBe(true)
})

it('a hash says how it was made, and shows neither the password nor that two are alike', async () => {
  const [one, two] = [
    await hashPassword(random, 'same same same'),
    await hashPassword(random, 'same same same'),
  ]
  expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  expect(one).not.toBe(two)
  expect(one).not.toContain('same')
})

it('a hash with other parameters is still understood', async () => {
  // RFC 7914, section 12: scrypt("pleaseletmein", "SodiumChloride", 16384, 8, 1), the first 32 bytes.
  const hash = Buffer.from('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2', 'hex')
  const salt = Buffer.from('SodiumChloride').toString('base64url')
  const kept = ['scrypt', 14, 8, 1, salt, hash.toString('base64url')].join('$')
  expect(await isPassword('pleaseletmein', kept)).toBe(true)
  expect(await isPassword('pleaseletmeout', kept)).toBe(false)
})

it('a stored text that is no hash matches no password', async () => {
  for (const kept of ['', 'scrypt$$$$$']) expect(await isPassword('', kept)).toBe(false)
})

it('more at a time than the machine can follow are turned away, and the rest are served', async () => {
  const many = await Promise.allSettled(Array.from({ length: 80 }, () => isPassword('x', 'scrypt$1$1$1$$')))
  const refused = many.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBe(80 - 66)
  expect(await isPassword('x', 'scrypt$1$1$1$$')).toBe(false)
})

it('who is known is neither turned away nor kept waiting by strangers, however many', async () => {
  const done: string[] = []
  const kept = await hashPassword(random, 'kestrel over the harbour', CHEAP)
  const strangers = Array.from({ length: 80 }, () =>
    isPassword('x', 'scrypt$10$8$1$$').then(
      () => done.push('stranger'),
      () => undefined,
    ),
  )
  expect(await isPassword('kestrel over the harbour', kept, true)).toBe(true)
  expect(done.length).toBeLessThan(66)
  await Promise.all(strangers)
  expect(done).toHaveLength(66)
})
