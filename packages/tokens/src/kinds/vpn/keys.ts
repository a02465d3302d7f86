// The key pair of the client that a configuration is for.
import { clamped, privateKey, publicBytes } from '../../channels/wireguard/x25519.ts'
import type { Derive } from '../../derive.ts'

/** 32 bytes, as `wg genkey` makes them. */
export const clientKey = (derive: Derive): Buffer => clamped(derive('client key', 32))

/** Base64, as `wg pubkey` writes it. */
export const clientPublicKey = (derive: Derive): string =>
  publicBytes(privateKey(clientKey(derive))).toString('base64')
