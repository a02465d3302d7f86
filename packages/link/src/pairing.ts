// How people and databases name a key, and how people compare two of them.
import { createHash, scrypt } from 'node:crypto'
import { WORDS } from './words.ts'

/** Words in a pairing phrase: six of eleven bits. */
const PHRASE_WORDS = 6

// Whoever stands between Bird and console must find two keys of his own that give both sides the same phrase. 66 bits alone
// would leave that to 2^33 cheap hashes a side; each guess costs 16 MiB and tens of milliseconds instead.
const COST = { N: 2 ** 14, r: 8, p: 1 }

/** SHA-256 of a public key, 64 hex digits. */
export const keyHash = (publicKey: Uint8Array): string => createHash('sha256').update(publicKey).digest('hex')

/** The first 24 hex digits of it: `device_id_hash` of a Bird, and what an enrolment code knows of the console. */
export const shortKeyHash = (publicKey: Uint8Array): string => keyHash(publicKey).slice(0, 24)

const known = new Map<string, Promise<string>>()

/**
 * The six words, such as `amber-kite-otter-plum-quill-zinc`, that the Bird shows and the console's pending list too. Each side works them
 * out from the keys it has seen itself; they never cross the wire. Equal phrases = nobody stands between.
 */
export function pairingPhrase(birdKey: Uint8Array, consoleKey: Uint8Array): Promise<string> {
  const keys = `${keyHash(birdKey)} ${keyHash(consoleKey)}`
  let phrase = known.get(keys)
  if (!phrase) {
    if (known.size >= 1000) known.delete(known.keys().next().value!)
    known.set(keys, (phrase = workOut(keys)))
  }
  return phrase
}

function workOut(keys: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(keys, 'rookery pairing 1', 9, COST, (error, bytes) => {
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
