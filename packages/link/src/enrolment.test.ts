import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatEnrolment, parseEnrolment } from './enrolment.ts'
import { shortKeyHash } from './pairing.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

test('a code brings the secret and the console’s key hash, however it is typed', () => {
  fc.assert(
    fc.property(bytes(13), bytes(32), fc.boolean(), fc.boolean(), (secret, key, lower, dashes) => {
      let code = formatEnrolment(secret, key)
      expect(code).toMatch(/^RK(-[0-9A-HJKMNP-TV-Z]{6}){8}$/)
      if (lower) code = code.toLowerCase()
      if (!dashes) code = code.replaceAll('-', ' ')
      expect(parseEnrolment(code)).toEqual({
        secret: Buffer.from(secret).toString('hex'),
        consoleKeyHash: shortKeyHash(key),
      })
    }),
  )
})

test('a wrong digit and two swapped ones are found, and the group is named', () => {
  fc.assert(
    fc.property(
      bytes(13),
      bytes(32),
      fc.nat(47),
      fc.constantFrom(...ALPHABET),
      fc.boolean(),
      (secret, key, at, digit, swap) => {
        const groups = formatEnrolment(secret, key).split('-').slice(1)
        const group = Math.floor(at / 6)
        const digits = [...groups[group]!]
        const place = swap ? Math.min(at % 6, 4) : at % 6
        if (swap) [digits[place], digits[place + 1]] = [digits[place + 1]!, digits[place]!]
        else digits[place] = digit
        const typed = digits.join('')
        fc.pre(typed !== groups[group])
        groups[group] = typed
        expect(() => parseEnrolment(['RK', ...groups].join('-'))).toThrow(
          `typo in group ${group + 1} (${typed})`,
        )
      },
    ),
    { numRuns: 1000 },
  )
})

test('two groups in each other’s place are found', () => {
  fc.assert(
    fc.property(bytes(13), bytes(32), fc.nat(7), fc.nat(7), (secret, key, a, b) => {
      const groups = formatEnrolment(secret, key).split('-').slice(1)
      fc.pre(groups[a] !== groups[b])
      ;[groups[a], groups[b]] = [groups[b]!, groups[a]!]
      expect(() => parseEnrolment(['RK', ...groups].join('-'))).toThrow(
        `typo in group ${Math.min(a, b) + 1} `,
      )
    }),
  )
})

test('a code that is too short is refused with the expected length', () => {
  expect(() => parseEnrolment('RK-ABC')).toThrow(
    '8 groups of 6 letters and digits; this has 5 characters, not 50',
  )
})
