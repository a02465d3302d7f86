// ecdh-sha2-nistp256, -nistp384, -nistp521 (RFC 5656, 4).
import { createECDH } from 'node:crypto'
import { mpint, reader, string } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { REFUSED, type KexMethod } from './method.ts'

const UNCOMPRESSED = 4

export const ecdh = (
  curve: 'prime256v1' | 'secp384r1' | 'secp521r1',
  hash: KexMethod['hash'],
): KexMethod => ({
  hash,
  expects: MSG.kexFirst,
  receive(payload, random) {
    const fields = reader(payload.subarray(1))
    const peer = fields.string()
    if (!fields.isWhole || peer[0] !== UNCOMPRESSED) return REFUSED
    const own = createECDH(curve)
    setPrivateKey(own, random, curve === 'secp521r1' ? 66 : curve === 'secp384r1' ? 48 : 32)
    let secret: Buffer
    try {
      secret = own.computeSecret(peer)
    } catch {
      return REFUSED
    }
    const answer = string(own.getPublicKey())
    return {
      kind: 'done',
      outcome: {
        hashed: Buffer.concat([string(peer), answer]),
        secret: mpint(secret),
        replyType: MSG.kexReply,
        answer,
      },
    }
  },
})

/** Draws scalars until one is below the curve's order. The order of P-521 has 521 bits. */
function setPrivateKey(
  own: ReturnType<typeof createECDH>,
  random: (length: number) => Buffer,
  bytes: number,
): void {
  for (;;) {
    const scalar = Buffer.from(random(bytes))
    if (bytes === 66) scalar[0]! &= 1
    try {
      own.setPrivateKey(scalar)
      return
    } catch {
      // The scalar is zero or not below the order: draw again.
    }
  }
}
