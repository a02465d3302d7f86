// X25519 keys as 32 raw bytes (RFC 7748), over node:crypto.
import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto'

export const KEY_BYTES = 32

/** A key pair; `secret` and `publicKey` are the 32 raw bytes. */
export interface KeyPair {
  readonly secret: Buffer
  readonly publicKey: Buffer
  readonly privateKey: KeyObject
}

// RFC 8410: the DER before the raw bytes of a PKCS #8 private key and of an SPKI public key.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')

/** The pair of a 32-byte secret. Any 32 random bytes are a valid secret: X25519 clamps them. */
export function keyPair(secret: Uint8Array): KeyPair {
  if (secret.length !== KEY_BYTES)
    throw new RangeError(`An X25519 secret has 32 bytes, not ${secret.length}.`)
  const der = Buffer.concat([PKCS8_PREFIX, secret])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { secret: Buffer.from(secret), publicKey: spki.subarray(SPKI_PREFIX.length), privateKey }
}

/** The shared secret. Undefined for a public key of low order, which makes the shared secret zero (RFC 7748, 6.1). */
export function agree({ privateKey }: KeyPair, remoteKey: Uint8Array): Buffer | undefined {
  try {
    const der = Buffer.concat([SPKI_PREFIX, remoteKey])
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
    const shared = diffieHellman({ privateKey, publicKey })
    return shared.some((byte) => byte !== 0) ? shared : undefined
  } catch {
    return undefined
  }
}
