// X25519 (RFC 7748) with keys as WireGuard writes them: 32 bytes.
import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto'

/** Version, algorithm 1.3.101.110, and the two headers of the octets of the key (RFC 8410, 7). */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')
/** The algorithm, and the header of the bits of the key (RFC 8410, 4). */
const SPKI = Buffer.from('302a300506032b656e032100', 'hex')

export const privateKey = (bytes: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' })

/** The public key of a private one. */
export const publicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length)

/** Undefined for a point whose secret would be zero, which is nobody's key (RFC 7748, 6.1). */
export function sharedSecret(key: KeyObject, theirs: Uint8Array): Buffer | undefined {
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, theirs]), format: 'der', type: 'spki' })
  try {
    return diffieHellman({ privateKey: key, publicKey })
  } catch {
    return undefined
  }
}

/** The bits that every private key has (RFC 7748, 5): tools that make keys set them. */
export function clamped(bytes: Uint8Array): Buffer {
  const key = Buffer.from(bytes)
  key[0]! &= 0xf8
  key[31] = (key[31]! & 0x7f) | 0x40
  return key
}
