// 32 bytes of a token, of which everything random in its artefacts is made: nothing of it is stored.
import { createHash } from 'node:crypto'
import type { Vault } from './vault.ts'

/** Two blocks under a key of their own: nobody without the master key can foresee the bytes. */
export const seedOf = (vault: Pick<Vault, 'blockCipher'>, tokenId: string): Uint8Array =>
  vault.blockCipher('token file').encrypt(createHash('sha256').update(tokenId).digest())
