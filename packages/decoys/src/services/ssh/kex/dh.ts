// diffie-hellman-group14-sha256, group16-sha512, group18-sha512 (RFC 8268), and what the group exchange shares with them.
import { getDiffieHellman } from 'node:crypto'
import { mpint, reader } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { modexp } from './modexp.ts'
import { REFUSED, type KexMethod } from './method.ts'

export interface Group {
  /** Big-endian, without leading zeros. */
  readonly prime: Buffer
  readonly generator: number
}

export const dh = (name: 'modp14' | 'modp16' | 'modp18', hash: KexMethod['hash']): KexMethod => ({
  hash,
  expects: MSG.kexFirst,
  receive(payload, random) {
    const fields = reader(payload.subarray(1))
    const peer = fields.mpint()
    const group = { prime: getDiffieHellman(name).getPrime(), generator: 2 }
    const found = fields.isWhole ? dhSecret(group, peer, random) : undefined
    if (!found) return REFUSED
    const answer = mpint(found.publicKey)
    return {
      kind: 'done',
      outcome: {
        hashed: Buffer.concat([mpint(peer), answer]),
        secret: mpint(found.secret),
        replyType: MSG.kexReply,
        answer,
      },
    }
  },
})

/** OpenSSH's exponents have twice the bits of the longest key that is derived: 64 bytes for chacha20-poly1305. */
const EXPONENT_BYTES = 128

/** Our public value and the shared secret. Undefined when the peer's value is out of range or has fewer than 4 bits set. */
export function dhSecret(
  { prime, generator }: Group,
  peer: Buffer,
  random: (length: number) => Buffer,
): { readonly publicKey: Buffer; readonly secret: Buffer } | undefined {
  if (peer.length > prime.length || !hasFourBits(peer)) return undefined
  const exponent = Buffer.from(random(EXPONENT_BYTES))
  exponent[0]! |= 0x80
  const publicKey = modexp(Buffer.from([generator]), exponent, prime, generator)
  const secret = modexp(peer, exponent, prime, generator)
  return publicKey && secret && { publicKey, secret }
}

function hasFourBits(bytes: Buffer): boolean {
  let count = 0
  for (const byte of bytes) {
    for (let rest = byte; rest; rest &= rest - 1) count += 1
    if (count >= 4) return true
  }
  return false
}
