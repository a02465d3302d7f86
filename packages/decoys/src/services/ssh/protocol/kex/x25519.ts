// X25519 (RFC 7748) with node:crypto. The caller gives the private key, so that an exchange depends on its inputs alone.
import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'

/** PKCS #8 and SubjectPublicKeyInfo up to the 32 bytes of the key (RFC 8410). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex')
const PUBLIC_HEAD = Buffer.from('302a300506032b656e032100', 'hex')

/** Our public key and the shared secret; undefined when the peer's key is malformed or gives an all-zero secret. */
export function x25519(
  privateKey: Buffer,
  peer: Buffer,
): { readonly publicKey: Buffer; readonly secret: Buffer } | undefined {
  if (peer.length !== 32) return undefined
  const own = createPrivateKey(pem('PRIVATE KEY', PRIVATE_HEAD, privateKey))
  // The export as JWK is ten times as fast as the export as DER.
  const publicKey = Buffer.from(own.export({ format: 'jwk' }).x!, 'base64url')
  try {
    const other = createPublicKey(pem('PUBLIC KEY', PUBLIC_HEAD, peer))
    return { publicKey, secret: diffieHellman({ privateKey: own, publicKey: other }) }
  } catch {
    return undefined
  }
}

/** RFC 7468. For a key that is no string, Node throws and catches up to four errors, which costs as much as the exchange. */
const pem = (label: string, head: Buffer, key: Buffer): string =>
  `-----BEGIN ${label}-----\n${Buffer.concat([head, key]).toString('base64')}\n-----END ${label}-----\n`
