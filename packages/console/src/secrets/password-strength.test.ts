import { expect, it } from 'vitest'
import { findWeakness } from './password-strength.ts'

const email = 'ann.holm@harbour.example.org'

it.each([
  ['password1234', 'much like a common password'],
  ['123456789012', 'it is a common password'],
  ['aaaaaaaaaaaaaaaa', 'repeats one character'],
  ['abcabcabcabc', 'repeats one text'],
  ['trustno1trustno1', 'repeats one text'],
  ['tyuiopasdfgh', 'of keys'],
  ['P@ssw0rd2026', 'a digit or sign instead of a letter helps little'],
  ['ann.holm@harbour.example.org', "the user's own address"],
  ['harbour.example.org', "the user's own address"],
  ['honeypot1234', 'a word that names a console'],
  ['rookeryrookery', 'a word that names a console'],
])('%s is refused, with what is better', async (password, reason) => {
  const weakness = await findWeakness(password, email)
  expect(weakness).toContain(reason)
  expect(weakness).toContain('use four or more unrelated words, or 16 random characters')
})

it.each([
  'kestrel over the harbour',
  'correct horse battery staple',
  'vC7m-2Kq9-xYtL',
  'na vrh hrastove krošnje',
])('%s is good', async (password) => expect(await findWeakness(password, email)).toBeUndefined())
