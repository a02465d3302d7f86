// How a key is named, and the phrase by which people compare the keys of a Bird and its console.
import { createHash, scrypt } from 'node:crypto'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { WORDS } from './words.data.ts'

/** Words in a pairing phrase: six of eleven bits. */
const PHRASE_WORDS = 6

// A man in the middle needs two keys of their own that give both sides the same phrase. 66 bits alone would leave that
// to 2^33 cheap hashes a side. With scrypt (RFC 7914) each guess costs 16 MiB and tens of milliseconds.
const SCRYPT = { N: 2 ** 14, r: 8, p: 1 }

/** SHA-256 of a public key, 64 hex digits. */
export const keyHash = (publicKey: Uint8Array): string => createHash('sha256').update(publicKey).digest('hex')

/** The first 24 hex digits of `keyHash`: a Bird's `device_id_hash`, and the console's key in an enrolment code. */
export const shortKeyHash = (publicKey: Uint8Array): string => keyHash(publicKey).slice(0, 24)

/** Phrases of pairs of keys that are cached. */
const phrases = boundedMap<string, Promise<string>>(limit('pairing_phrases', 1_000))

/**
 * Six words, such as `amber-kite-otter-plum-quill-zinc`. The Bird shows them, and the console's pending list too.
 * Each side derives them from the keys that it has seen; they never cross the wire. Equal phrases prove equal keys.
 */
export function pairingPhrase(birdKey: Uint8Array, consoleKey: Uint8Array): Promise<string> {
  const keys = `${keyHash(birdKey)} ${keyHash(consoleKey)}`
  const known = phrases.get(keys)
  if (known) return known
  const phrase = derivePhrase(keys)
  phrases.set(keys, phrase)
  return phrase
}

function derivePhrase(keys: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(keys, 'rookery pairing 1', 9, SCRYPT, (error, bytes) => {
      if (error) return reject(error)
      let bits = BigInt('0x' + bytes.toString('hex'))
      const words = Array.from({ length: PHRASE_WORDS }, () => {
        const word = WORDS[Number(bits % 2048n)]!
        bits /= 2048n
        return word
      })
      resolve(words.join('-'))
    })
  })
}
