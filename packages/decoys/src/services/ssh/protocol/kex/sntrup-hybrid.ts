// sntrup761x25519-sha512 and its older name @openssh.com (draft-ietf-sshm-ntruprime-ssh): the hash of both secrets.
//
//   client: string (public key 1158 | x25519 32)     server: string (ciphertext 1039 | x25519 32)
import { reader } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { encapsulate, PUBLIC_KEY_BYTES, RANDOM_BYTES } from '../sntrup/encapsulate.ts'
import { hybridOutcome } from './hybrid-outcome.ts'
import { REFUSED, type KexMethod } from './method.ts'
import { x25519 } from './x25519.ts'

export const sntrupHybrid: KexMethod = {
  hash: 'sha512',
  expects: MSG.kexFirst,
  receive(payload, random) {
    const fields = reader(payload.subarray(1))
    const peer = fields.string()
    if (!fields.isWhole || peer.length !== PUBLIC_KEY_BYTES + 32) return REFUSED
    const curve = x25519(random(32), peer.subarray(PUBLIC_KEY_BYTES))
    if (!curve) return REFUSED
    const lattice = encapsulate(peer.subarray(0, PUBLIC_KEY_BYTES), random(RANDOM_BYTES))
    return hybridOutcome({ hash: 'sha512', peer, lattice, curve })
  },
}
