// A test client's half of a key exchange, always with the same secret keys.
import { createHash } from 'node:crypto'
import { mpint, string } from '../../src/services/ssh/protocol/codec/fields.ts'
import type { KexMethod } from '../../src/services/ssh/protocol/kex/method.ts'
import { digest } from '../../src/services/ssh/protocol/kex/keys.ts'
import { x25519 } from '../../src/services/ssh/protocol/kex/x25519.ts'
import { CIPHERTEXT_BYTES } from '../../src/services/ssh/protocol/sntrup/encapsulate.ts'
import { keyPair } from './decapsulate.ts'

export interface KeyShare {
  readonly hash: KexMethod['hash']
  /** What the client sends. */
  readonly publicKey: Buffer
  /** The shared secret in the form that is hashed, from what the server answers. */
  readonly secret: (answer: Buffer) => Buffer
}

const secretKey = createHash('sha256').update('client').digest()
const BASE_POINT = Buffer.from('09'.padEnd(64, '0'), 'hex')
const { publicKey } = x25519(secretKey, BASE_POINT)!

const curve: KeyShare = {
  hash: 'sha256',
  publicKey,
  secret: (answer) => mpint(x25519(secretKey, answer)!.secret),
}

let lattice: ReturnType<typeof keyPair> | undefined

function hybrid(): KeyShare {
  const pair = (lattice ??= keyPair('client'))
  return {
    hash: 'sha512',
    publicKey: Buffer.concat([pair.publicKey, publicKey]),
    secret(answer) {
      const ofLattice = pair.decapsulate(answer.subarray(0, CIPHERTEXT_BYTES))!
      const ofCurve = x25519(secretKey, answer.subarray(CIPHERTEXT_BYTES))!.secret
      return string(digest('sha512', ofLattice, ofCurve))
    },
  }
}

/** For X25519, alone or with sntrup761. */
export const keyShare = (method: string): KeyShare => (method.startsWith('sntrup761') ? hybrid() : curve)
