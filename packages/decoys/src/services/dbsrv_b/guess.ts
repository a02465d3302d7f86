// Which common password a client's response was made with (mysql_native_password of the protocol's documents):
// SHA1(password) XOR SHA1(salt ‖ SHA1(SHA1(password))).
import { hash } from 'node:crypto'
import { COMMON_PASSWORDS } from '../../common-passwords.data.ts'
import { sha1Search, type Search } from './sha1-search.ts'

/** What an event says of a password that is not among the common ones. */
export const UNKNOWN_PASSWORD = '<Password not in common list>'

const HASH_BYTES = 20

const sha1 = (bytes: Buffer | string): Buffer => hash('sha1', bytes, 'buffer')

let search: Search | undefined

/** Made with the first login: not every Bird has a database. */
function searchPasswords(): Search {
  const once = COMMON_PASSWORDS.map(sha1)
  return sha1Search({ masks: Buffer.concat(once), inputs: Buffer.concat(once.map(sha1)) })
}

export function guessNative(salt: Buffer, response: Buffer): string | undefined {
  if (response.length !== HASH_BYTES) return undefined
  search ??= searchPasswords()
  const index = search(salt, response)
  return index === undefined ? undefined : COMMON_PASSWORDS[index]
}
