// ssh-ed25519 (RFC 8709).
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { string } from '../codec/fields.ts'
import type { Derive, HostKey } from './host-key.ts'

/** PKCS #8 up to the seed (RFC 8410). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function ed25519(derive: Derive): HostKey {
  const seed = derive('ssh/host-key/ed25519', 32)
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const point = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32)
  return {
    blob: Buffer.concat([string('ssh-ed25519'), string(point)]),
    sign: (algorithm, text) => Buffer.concat([string(algorithm), string(sign(null, text, key))]),
  }
}
