// Which common password a client's response was made with, as the protocol's documents describe the plug-ins:
// SHA1(password) XOR SHA1(salt ‖ SHA1(SHA1(password))) of mysql_native_password,
// SHA256(password) XOR SHA256(SHA256(SHA256(password)) ‖ salt) of caching_sha2_password.
import { hash } from 'node:crypto'
import { COMMON_PASSWORDS } from '../../../session/common-passwords.data.ts'
import { sha1Search, type Search } from './sha1-search.ts'

/** What an event says of a password that is not among the common ones. */
export const UNKNOWN_PASSWORD = '<Password not in common list>'

const SHA1_BYTES = 20
const SHA256_BYTES = 32

const sha1 = (bytes: Buffer | string): Buffer => hash('sha1', bytes, 'buffer')
const sha256 = (bytes: Buffer | string): Buffer => hash('sha256', bytes, 'buffer')

let search: Search | undefined

/** Made with the first login: not every Bird has a database. */
function searchPasswords(): Search {
  const once = COMMON_PASSWORDS.map(sha1)
  return sha1Search({ masks: Buffer.concat(once), inputs: Buffer.concat(once.map(sha1)) })
}

export function guessNative(salt: Buffer, response: Buffer): string | undefined {
  if (response.length !== SHA1_BYTES) return undefined
  search ??= searchPasswords()
  const index = search(salt, response)
  return index === undefined ? undefined : COMMON_PASSWORDS[index]
}

interface Candidate {
  readonly password: string
  readonly once: Buffer
  readonly twice: Buffer
}

let candidates: readonly Candidate[] | undefined

/** About two milliseconds: only for clients that do not send the password itself. */
export function guessSha2(salt: Buffer, response: Buffer): string | undefined {
  if (response.length !== SHA256_BYTES) return undefined
  candidates ??= COMMON_PASSWORDS.map((password) => {
    const once = sha256(password)
    return { password, once, twice: sha256(once) }
  })
  return candidates.find(({ once, twice }) => {
    const sum = sha256(Buffer.concat([twice, salt]))
    return response.every((value, at) => (value ^ sum[at]!) === once[at])
  })?.password
}
