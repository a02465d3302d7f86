// The first message of a WireGuard handshake, as a client seals it: for self-tests of a token.
import { firstChain, hash, INITIATION, mac1Of, nextKeys, seal, transcriptOf } from './noise.ts'
import { privateKey, publicBytes, sharedSecret } from './x25519.ts'
import type { KeyObject } from 'node:crypto'

export interface SealOptions {
  /** The client's private key, 32 bytes. */
  readonly own: Uint8Array
  /** A private key for this message alone, 32 bytes. */
  readonly ephemeral: Uint8Array
  /** The server's public key. */
  readonly responder: Uint8Array
  readonly sessionIndex?: number
  /** By the client's clock, in milliseconds. */
  readonly sentAt: number
}

export function sealInitiation({ own, ephemeral, responder, sessionIndex = 1, sentAt }: SealOptions): Buffer {
  const [ownKey, ephemeralKey] = [privateKey(own), privateKey(ephemeral)]
  const ephemeralBytes = publicBytes(ephemeralKey)
  const first = nextKeys(firstChain(ephemeralBytes), secretOf(ephemeralKey, responder))
  const withEphemeral = hash(transcriptOf(responder), ephemeralBytes)
  const sealedKey = seal(first.key, publicBytes(ownKey), withEphemeral)
  const second = nextKeys(first.chain, secretOf(ownKey, responder))
  const sealedTime = seal(second.key, tai64n(sentAt), hash(withEphemeral, sealedKey))
  const head = Buffer.alloc(INITIATION.ephemeral)
  head.writeUInt32LE(INITIATION.type)
  head.writeUInt32LE(sessionIndex, INITIATION.sender)
  const message = Buffer.concat([head, ephemeralBytes, sealedKey, sealedTime])
  return Buffer.concat([message, mac1Of(responder)(message), Buffer.alloc(INITIATION.end - INITIATION.mac2)])
}

function secretOf(key: KeyObject, theirs: Uint8Array): Buffer {
  const secret = sharedSecret(key, theirs)
  if (!secret) throw new RangeError(`${Buffer.from(theirs).toString('base64')} is no X25519 key.`)
  return secret
}

export function tai64n(at: number): Buffer {
  const label = Buffer.alloc(12)
  const seconds = Math.floor(at / 1_000)
  label.writeBigUInt64BE(0x400000000000000an + BigInt(seconds))
  label.writeUInt32BE((at - seconds * 1_000) * 1_000_000, 8)
  return label
}
