// The RSA keys that MySQL makes at its first start (private_key.pem, public_key.pem): clients encrypt passwords with them.
import { createPublicKey, webcrypto, type KeyObject } from 'node:crypto'
import type { Derive } from '../../../machine/draw.ts'
import { findPrime } from '../../../machine/primes.ts'
import { rsaKey } from '../../../machine/rsa-key.ts'

export interface PasswordKey {
  /** PEM, as the server sends it. */
  readonly publicKey: Buffer
  /** RSA-OAEP of RFC 8017, 7.1, with SHA-1; undefined if it is none of this key. */
  readonly decrypt: (encrypted: Buffer) => Promise<Buffer | undefined>
}

const PRIME_BYTES = 128
const made = new Map<string, Promise<PasswordKey>>()

/** Derives from the Bird's seed; resolves after some tenths of a second, once for each Bird. */
export function passwordKey(derive: Derive): Promise<PasswordKey> {
  const id = derive('dbsrv_b/password-key/id', 16).toString('hex')
  const known = made.get(id) ?? makeKey(derive)
  made.set(id, known)
  return known
}

async function makeKey(derive: Derive): Promise<PasswordKey> {
  const seed = (prime: string): Buffer => derive(`dbsrv_b/password-key/${prime}`, PRIME_BYTES)
  const [p, q] = await Promise.all([findPrime(seed('p')), findPrime(seed('q'))])
  const { privateKey } = rsaKey(p, q)
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })
  return { publicKey: Buffer.from(publicKey), decrypt: decryptWith(privateKey) }
}

/** On the thread pool: it takes about a millisecond. */
function decryptWith(privateKey: KeyObject): PasswordKey['decrypt'] {
  const key = privateKey.toCryptoKey({ name: 'RSA-OAEP', hash: 'SHA-1' }, false, ['decrypt'])
  return async (encrypted) => {
    try {
      return Buffer.from(await webcrypto.subtle.decrypt({ name: 'RSA-OAEP' }, key, encrypted))
    } catch {
      return undefined
    }
  }
}
