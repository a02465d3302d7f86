// Which common password a response was made with: DES of the challenge, the password as key, each byte with its bits turned
// around (RFC 6143, 7.2.2).
import { createCipheriv } from 'node:crypto'
import { COMMON_PASSWORDS } from '../../../session/common-passwords.data.ts'
import { keySearch, type KeySearch } from './des-search.ts'

/** What an event says of a password that is not among the common ones. */
export const UNKNOWN_PASSWORD = '<Password not in common list>'

/** VNC reads eight characters of a password. */
const PASSWORD_CHARACTERS = 8
const BLOCK_BYTES = 8

const turned = (byte: number): number => {
  let bits = 0
  for (let at = 0; at < 8; at += 1) bits |= ((byte >> at) & 1) << (7 - at)
  return bits
}

function keyOf(password: string): Buffer {
  const key = Buffer.alloc(PASSWORD_CHARACTERS)
  key.write(password, 'latin1')
  for (const [at, byte] of key.entries()) key[at] = turned(byte)
  return key
}

/** The first one of those that VNC does not tell apart; the empty one, too. */
function distinctWords(): readonly string[] {
  const words = new Map<string, string>()
  for (const word of ['', ...COMMON_PASSWORDS]) {
    const key = word.slice(0, PASSWORD_CHARACTERS)
    if (!words.has(key)) words.set(key, word)
  }
  return [...words.values()]
}

let guesses: { readonly words: readonly string[]; readonly search: KeySearch } | undefined

function prepareGuesses() {
  const words = distinctWords()
  return { words, search: keySearch(words.map(keyOf)) }
}

/** The common password, or undefined. The search is made with the first login: not every Bird has VNC. */
export function guessPassword(challenge: Buffer, response: Buffer): string | undefined {
  guesses ??= prepareGuesses()
  const { words, search } = guesses
  const index = search(challenge.subarray(0, BLOCK_BYTES), response.subarray(0, BLOCK_BYTES))
  const word = index === undefined ? undefined : words[index]
  return word !== undefined && responseTo(challenge, word).equals(response) ? word : undefined
}

/** As a client answers. OpenSSL has no single DES any more: the key three times over makes it of triple DES. */
export function responseTo(challenge: Buffer, password: string): Buffer {
  const key = keyOf(password)
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false)
  return Buffer.concat([cipher.update(challenge), cipher.final()])
}
