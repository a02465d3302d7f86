// Signatures of Samba: those of [MS-SMB2] 3.1.4.1, and AES-GMAC, which it prefers in 3.1.1.
import { createCipheriv, timingSafeEqual } from 'node:crypto'
import { COMMAND } from '../../protocol/codec/header.ts'
import { isSignedBy as isSignedAsBefore, sign as signAsBefore } from '../../protocol/signing/sign.ts'
import type { Negotiated } from './state.ts'

const GMAC = 2
const SIGNED = 8
const SIGNATURE_AT = 48
const HEADER_BYTES = 64

/** The nonce is the message id, with a bit for answers and one for CANCEL. */
function gmac(message: Buffer, key: Buffer): Buffer {
  const nonce = Buffer.alloc(12)
  message.copy(nonce, 0, 24, 32)
  const isCancel = message.readUInt16LE(12) === COMMAND.cancel
  nonce.writeUInt32LE((message.readUInt32LE(16) & 1) | (isCancel ? 2 : 0), 8)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  cipher.setAAD(
    Buffer.concat([
      message.subarray(0, SIGNATURE_AT),
      Buffer.alloc(HEADER_BYTES - SIGNATURE_AT),
      message.subarray(HEADER_BYTES),
    ]),
  )
  cipher.final()
  return cipher.getAuthTag()
}

export function sign(message: Buffer, key: Buffer, { dialect, signing }: Negotiated): Buffer {
  if (signing !== GMAC) return signAsBefore(message, key, dialect)
  message.writeUInt32LE((message.readUInt32LE(16) | SIGNED) >>> 0, 16)
  gmac(message, key).copy(message, SIGNATURE_AT)
  return message
}

export const isSignedBy = (message: Buffer, key: Buffer, { dialect, signing }: Negotiated): boolean =>
  signing === GMAC
    ? timingSafeEqual(gmac(message, key), message.subarray(SIGNATURE_AT, HEADER_BYTES))
    : isSignedAsBefore(message, key, dialect)
