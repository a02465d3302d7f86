import fc from 'fast-check'
import Type from 'typebox'
import { expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { jsonObject, secret, upload, withDefault } from '@rookery/contract/fields.ts'
import { auditMessage, quoteValue } from './message.ts'

const operation = {
  title: 'Add a receiver',
  params: Type.Object({
    flock_id: Type.String(),
    url: secret(Type.String(), 'but its host'),
    headers: Type.Optional(secret(jsonObject)),
    note: Type.Optional(Type.String()),
    retries: withDefault(Type.Integer(), 3),
    isLoud: Type.Optional(Type.Boolean()),
    ca: Type.Optional(upload),
    more: Type.Optional(jsonObject),
  }),
}

it('names the parameters of the call in the order of the contract, without absent ones', () => {
  expect(
    auditMessage(operation, { retries: 3, note: 'Day shift', flock_id: 'flock:default', isLoud: true }),
  ).toBe('Add a receiver: flock_id flock:default, note "Day shift", isLoud true.')
  expect(auditMessage(operation, { retries: 5 }, { key_id: '7c1e90ab' })).toBe(
    'Add a receiver: retries 5, key_id 7c1e90ab.',
  )
  expect(auditMessage(operation, {})).toBe('Add a receiver.')
})

it('shows of a file its name and size, of an object its text', () => {
  const ca = { filename: 'ca.pem', contentType: 'text/plain', bytes: new Uint8Array(1200) }
  expect(auditMessage(operation, { ca, more: { a: [1, 'b'] } })).toBe(
    'Add a receiver: ca file ca.pem of 1200 bytes, more {"a":[1,"b"]}.',
  )
})

it.each([
  ['https://alerts.example.com/in/s3cret?k=s3cret', 'https://alerts.example.com/…'],
  ['https://user:s3cret@alerts.example.com:8443/in#s3cret', 'https://alerts.example.com:8443/…'],
  ['s3cret', '(withheld)'],
  ['//s3cret', '(withheld)'],
])('of the URL %s it shows %s', (url, shown) => {
  expect(auditMessage(operation, { url, headers: { Authorization: 's3cret' } })).toBe(
    `Add a receiver: url ${shown}, headers (withheld).`,
  )
})

it('is bounded, one line, and of visible characters, whatever was given', () => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 5_000 }),
    fc.string({
      unit: fc.constantFrom('\n', '\r', '\u001b[2J', '\u202e', '\u2028', '\0', '\ud800', '"', '\\', 'a'),
    }),
  )
  fc.assert(
    fc.property(hostile, hostile, hostile, (note, flock_id, fact) => {
      const message = auditMessage(operation, { note, flock_id, more: { [note]: flock_id } }, { fact })
      expect(message.length).toBeLessThanOrEqual(2_000)
      expect(message).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u)
      expect(message.isWellFormed()).toBe(true)
    }),
  )
})

it('cannot be forged: a value that is not one word is in quotes', () => {
  expect(quoteValue('x, key_id 00000000. Remove an API key')).toBe('"x, key_id 00000000. Remove an API key"')
  expect(quoteValue('say "hi"')).toBe('"say \\"hi\\""')
  expect(quoteValue('')).toBe('""')
  expect(quoteValue('flock:default')).toBe('flock:default')
})
