// What both sides of the first message do: Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s, as WireGuard fixes it
// (wireguard.com/protocol). The pre-shared key comes in with the second message.
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { openBlake2s } from './blake2s.ts'

/**
 *   byte   0      1 … 3   4 … 7     8 … 39       40 … 87         88 … 115           116 … 131   132 … 147
 *         ┌──────┬───────┬─────────┬────────────┬───────────────┬──────────────────┬───────────┬───────────┐
 *         │ 1    │ zero  │ sender, │ ephemeral  │ static key,   │ TAI64N,          │ mac1      │ mac2      │
 *         │      │       │ LE      │ key        │ sealed        │ sealed           │           │           │
 *         └──────┴───────┴─────────┴────────────┴───────────────┴──────────────────┴───────────┴───────────┘
 */
export const INITIATION = {
  type: 1,
  sender: 4,
  ephemeral: 8,
  key: 40,
  time: 88,
  mac1: 116,
  mac2: 132,
  end: 148,
}

const MAC_BYTES = 16
const TAG_BYTES = 16
const CIPHER = 'chacha20-poly1305'
/** Each key seals one text. */
const NONCE = Buffer.alloc(12)

export function hash(...parts: readonly Uint8Array[]): Buffer {
  const made = createHash('blake2s256')
  for (const part of parts) made.update(part)
  return made.digest()
}

function hmac(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const made = createHmac('blake2s256', key)
  for (const part of parts) made.update(part)
  return made.digest()
}

const CHAIN = hash(Buffer.from('Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s'))
const PROTOCOL = hash(CHAIN, Buffer.from('WireGuard v1 zx2c4 Jason@zx2c4.com'))
const MAC1_LABEL = Buffer.from('mac1----')

/** The hash of the handshake with the responder's key; both sides begin with it. */
export const transcriptOf = (responder: Uint8Array): Buffer => hash(PROTOCOL, responder)

/** The chaining key with the ephemeral key mixed in. */
export const firstChain = (ephemeral: Uint8Array): Buffer => hmac(hmac(CHAIN, ephemeral), Buffer.of(1))

/** The next chaining key and the key of an AEAD: HKDF with two outputs (Noise, 4.3). */
export function nextKeys(chain: Buffer, secret: Buffer): { readonly chain: Buffer; readonly key: Buffer } {
  const extracted = hmac(chain, secret)
  const first = hmac(extracted, Buffer.of(1))
  return { chain: first, key: hmac(extracted, first, Buffer.of(2)) }
}

/** The MAC that every message to the owner of this public key carries. */
export const mac1Of = (publicKey: Uint8Array): ((message: Uint8Array) => Buffer) =>
  openBlake2s(MAC_BYTES, hash(MAC1_LABEL, publicKey))

export function seal(key: Buffer, text: Buffer, associated: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES })
  cipher.setAAD(associated, { plaintextLength: text.length })
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Undefined where the tag is wrong. */
export function unseal(key: Buffer, sealed: Buffer, associated: Buffer): Buffer | undefined {
  const text = sealed.subarray(0, -TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES })
  decipher.setAAD(associated, { plaintextLength: text.length }).setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(text), decipher.final()])
  } catch {
    return undefined
  }
}
