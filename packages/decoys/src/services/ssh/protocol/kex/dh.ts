// diffie-hellman-group14-sha256, group16-sha512, group18-sha512 (RFC 8268), and what the group exchange shares with them.
import { getDiffieHellman } from 'node:crypto'
import { mpint, reader } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { exchangeKeys, type Group } from './dh-keys.ts'
import { REFUSED, type KexMethod, type KexStep } from './method.ts'

export const dh = (name: 'modp14' | 'modp16' | 'modp18', hash: KexMethod['hash']): KexMethod => ({
  hash,
  expects: MSG.kexFirst,
  receive: (payload) =>
    dhExchange({ prime: getDiffieHellman(name).getPrime(), generator: 2 }, payload, {
      hashed: Buffer.alloc(0),
      replyType: MSG.kexReply,
    }),
})

/** Answers the client's public value. `hashed`: what the exchange hash needs before it. */
export function dhExchange(
  group: Group,
  payload: Buffer,
  { hashed, replyType }: { readonly hashed: Buffer; readonly replyType: number },
): KexStep {
  const fields = reader(payload.subarray(1))
  const peer = fields.mpint()
  if (!fields.isWhole || peer.length > group.prime.length || !hasFourBits(peer)) return REFUSED
  return {
    kind: 'later',
    async result() {
      const found = await exchangeKeys(group, peer)
      if (!found) return REFUSED
      const answer = mpint(found.publicKey)
      return {
        kind: 'done',
        outcome: {
          hashed: Buffer.concat([hashed, mpint(peer), answer]),
          secret: mpint(found.secret),
          replyType,
          answer,
        },
      }
    },
  }
}

/** OpenSSH refuses values with fewer than 4 bits set. */
function hasFourBits(bytes: Buffer): boolean {
  let count = 0
  for (const byte of bytes) {
    for (let rest = byte; rest; rest &= rest - 1) count += 1
    if (count >= 4) return true
  }
  return false
}
