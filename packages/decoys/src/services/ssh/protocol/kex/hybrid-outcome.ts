// What the hybrid methods have in common: an answer of two halves, and the hash of both secrets.
import { createHash } from 'node:crypto'
import { string } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import type { KexMethod, KexStep } from './method.ts'

export interface Hybrid {
  readonly hash: KexMethod['hash']
  /** What the client sent. */
  readonly peer: Buffer
  readonly lattice: { readonly ciphertext: Uint8Array; readonly secret: Uint8Array }
  readonly curve: { readonly publicKey: Buffer; readonly secret: Buffer }
}

export function hybridOutcome({ hash, peer, lattice, curve }: Hybrid): KexStep {
  const answer = string(Buffer.concat([lattice.ciphertext, curve.publicKey]))
  const secret = createHash(hash).update(lattice.secret).update(curve.secret).digest()
  return {
    kind: 'done',
    outcome: {
      hashed: Buffer.concat([string(peer), answer]),
      secret: string(secret),
      replyType: MSG.kexReply,
      answer,
    },
  }
}
