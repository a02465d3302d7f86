// X25519 keys as 32 raw bytes (RFC 7748), over node:crypto.
import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto'

export const KEY_BYTES = 32

/** A key pair; `secret` and `publicKey` are the 32 raw bytes. */
export interface KeyPair {
  readonly secret: Buffer
  readonly publicKey: Buffer
  readonly handle: KeyObject
}

// RFC 8410: the DER that stands before the raw bytes of a PKCS #8 private and an SPKI public key.
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')
const SPKI = Buffer.from('302a300506032b656e032100', 'hex')

/** The pair of a 32-byte secret. Any 32 random bytes are a valid secret (they are clamped when used). */
export function keyPair(secret: Uint8Array): KeyPair {
  if (secret.length !== KEY_BYTES)
    throw new RangeError(`An X25519 secret has 32 bytes, not ${secret.length}.`)
  const handle = createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(handle).export({ format: 'der', type: 'spki' }).subarray(SPKI.length)
  return { secret: Buffer.from(secret), publicKey, handle }
}

/** The shared secret, or `undefined` for a public key of low order, whose secret would be known to everybody (RFC 7748, 6.1). */
export function agree(own: KeyPair, theirs: Uint8Array): Buffer | undefined {
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI, theirs]), format: 'der', type: 'spki' })
    const shared = diffieHellman({ privateKey: own.handle, publicKey })
    return shared.some((byte) => byte !== 0) ? shared : undefined
  } catch {
    return undefined
  }
}
