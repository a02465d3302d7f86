// Signatures of messages ([MS-SMB2] 3.1.4.1) and their keys (3.1.4.2).
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { DIALECT, type Dialect } from '../codec/dialect.ts'
import { aesCmac } from './aes-cmac.ts'
import { aesGmac } from './aes-gmac.ts'

/** Ids of algorithms ([MS-SMB2] 2.2.3.1.7). */
export const SIGNING = { hmacSha256: 0, aesCmac: 1, aesGmac: 2 } as const
export type SigningAlgorithm = (typeof SIGNING)[keyof typeof SIGNING]

/** Where nothing else is agreed on. */
export const usualSigning = (dialect: Dialect): SigningAlgorithm =>
  dialect < DIALECT.v300 ? SIGNING.hmacSha256 : SIGNING.aesCmac

export const SIGNATURE_AT = 48
const SIGNATURE_BYTES = 16
const BLANK = Buffer.alloc(SIGNATURE_BYTES)
const SIGNED = 8

/** The counter mode of SP 800-108 with HMAC-SHA256: r = 32, L = 128, one round. */
export function deriveKey(key: Buffer, label: string, context: Buffer): Buffer {
  const fixed = Buffer.concat([
    Buffer.from([0, 0, 0, 1]),
    Buffer.from(`${label}\0`, 'latin1'),
    Buffer.from([0]),
    context,
    Buffer.from([0, 0, 0, 128]),
  ])
  return createHmac('sha256', key).update(fixed).digest().subarray(0, 16)
}

/** The key that signs in a session of this dialect. `preauthHash`: of the session, for 3.1.1. */
export function signingKey(sessionKey: Buffer, dialect: Dialect, preauthHash: Buffer): Buffer {
  if (dialect < DIALECT.v300) return sessionKey
  return dialect === DIALECT.v311
    ? deriveKey(sessionKey, 'SMBSigningKey', preauthHash)
    : deriveKey(sessionKey, 'SMB2AESCMAC', Buffer.from('SmbSign\0', 'latin1'))
}

/** Over the message with its signature field zeroed. */
function signature(message: Buffer, key: Buffer, signing: SigningAlgorithm): Buffer {
  const parts = [message.subarray(0, SIGNATURE_AT), BLANK, message.subarray(SIGNATURE_AT + SIGNATURE_BYTES)]
  if (signing === SIGNING.aesCmac) return aesCmac(key, ...parts)
  if (signing === SIGNING.aesGmac) return aesGmac(key, message, parts)
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest().subarray(0, SIGNATURE_BYTES)
}

/** Sets the flag and the signature of the message in its place, and answers it. */
export function sign(message: Buffer, key: Buffer, signing: SigningAlgorithm): Buffer {
  message.writeUInt32LE((message.readUInt32LE(16) | SIGNED) >>> 0, 16)
  signature(message, key, signing).copy(message, SIGNATURE_AT)
  return message
}

export const isSignedBy = (message: Buffer, key: Buffer, signing: SigningAlgorithm): boolean =>
  timingSafeEqual(
    signature(message, key, signing),
    message.subarray(SIGNATURE_AT, SIGNATURE_AT + SIGNATURE_BYTES),
  )

/** The next preauthentication integrity hash ([MS-SMB2] 3.1.4.4.1). */
export const preauthHash = (hash: Buffer, message: Buffer): Buffer =>
  createHash('sha512').update(hash).update(message).digest()

export const FIRST_PREAUTH_HASH = Buffer.alloc(64)
