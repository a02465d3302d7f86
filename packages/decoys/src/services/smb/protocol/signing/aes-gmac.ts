// AES-128-GMAC of a message ([MS-SMB2] 3.1.4.1), as 3.1.1 may agree on.
import { createCipheriv } from 'node:crypto'
import { COMMAND } from '../codec/header.ts'

/** `parts`: of the whole message. The nonce is the message id, with a bit for answers and one for CANCEL. */
export function aesGmac(key: Buffer, message: Buffer, parts: readonly Buffer[]): Buffer {
  const nonce = Buffer.alloc(12)
  message.copy(nonce, 0, 24, 32)
  const isCancel = message.readUInt16LE(12) === COMMAND.cancel
  nonce.writeUInt32LE((message.readUInt32LE(16) & 1) | (isCancel ? 2 : 0), 8)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  cipher.setAAD(Buffer.concat(parts))
  cipher.final()
  return cipher.getAuthTag()
}
