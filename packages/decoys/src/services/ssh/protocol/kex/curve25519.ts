// curve25519-sha256 and its older name (RFC 8731).
import { mpint, reader, string } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { REFUSED, type KexMethod } from './method.ts'
import { x25519 } from './x25519.ts'

export const curve25519: KexMethod = {
  hash: 'sha256',
  expects: MSG.kexFirst,
  receive(payload, random) {
    const fields = reader(payload.subarray(1))
    const peer = fields.string()
    const found = fields.isWhole ? x25519(random(32), peer) : undefined
    if (!found) return REFUSED
    const answer = string(found.publicKey)
    return {
      kind: 'done',
      outcome: {
        hashed: Buffer.concat([string(peer), answer]),
        secret: mpint(found.secret),
        replyType: MSG.kexReply,
        answer,
      },
    }
  },
}
