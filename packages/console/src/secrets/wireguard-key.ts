// The private key of the token WireGuard server, 32 bytes: the same for every console of a master key, and after a change of it.
import { createHash } from 'node:crypto'
import type { Vault } from './vault.ts'

export const wireguardKey = (vault: Pick<Vault, 'blockCipher'>): Uint8Array =>
  vault.blockCipher('wireguard').encrypt(createHash('sha256').update('server').digest())
