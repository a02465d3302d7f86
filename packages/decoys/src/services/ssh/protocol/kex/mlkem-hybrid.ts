// mlkem768x25519-sha256 (draft-ietf-sshm-mlkem-hybrid-kex): the hash of both secrets. OpenSSL does ML-KEM (FIPS 203).
//
//   client: string (encapsulation key 1184 | x25519 32)     server: string (ciphertext 1088 | x25519 32)
import { createPublicKey, encapsulate, type KeyObject } from 'node:crypto'
import { reader } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { hybridOutcome } from './hybrid-outcome.ts'
import { REFUSED, type KexMethod } from './method.ts'
import { x25519 } from './x25519.ts'

const KEY_BYTES = 1184
/** SubjectPublicKeyInfo of ML-KEM-768 up to the bytes of the key (RFC 9935). */
const KEY_HEAD = Buffer.from('308204b2300b0609608648016503040402038204a100', 'hex')

export const mlkemHybrid: KexMethod = {
  hash: 'sha256',
  expects: MSG.kexFirst,
  receive(payload, random) {
    const fields = reader(payload.subarray(1))
    const peer = fields.string()
    if (!fields.isWhole || peer.length !== KEY_BYTES + 32) return REFUSED
    const key = encapsulationKey(peer.subarray(0, KEY_BYTES))
    const curve = x25519(random(32), peer.subarray(KEY_BYTES))
    if (!key || !curve) return REFUSED
    const { sharedKey, ciphertext } = encapsulate(key)
    return hybridOutcome({ hash: 'sha256', peer, lattice: { ciphertext, secret: sharedKey }, curve })
  },
}

/** Undefined when a coefficient is out of range (FIPS 203, 7.2). */
function encapsulationKey(bytes: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.concat([KEY_HEAD, bytes]), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
