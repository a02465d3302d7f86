// chacha20-poly1305@openssh.com (OpenSSH PROTOCOL.chacha20poly1305): two ChaCha20 keys, the second only for the length.
import { createCipheriv, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import { poly1305 } from './poly1305.ts'
import type { Place, Protection } from './protection.ts'

const TAG_BYTES = 16
/** Block 0 of the key stream makes the one-time key; the payload begins with block 1. */
const BLOCK_BYTES = 64

/** `key`: 64 bytes, K_2 (payload) before K_1 (length). */
export function chacha20Poly1305(key: Buffer): Protection {
  const payloadKey = createSecretKey(key.subarray(0, 32))
  const lengthKey = createSecretKey(key.subarray(32, 64))

  const crypt = (text: Buffer, place: Place): { oneTimeKey: Buffer; out: Buffer } => {
    const stream = chacha20(payloadKey, place, Buffer.concat([Buffer.alloc(BLOCK_BYTES), text]))
    return { oneTimeKey: stream.subarray(0, 32), out: stream.subarray(BLOCK_BYTES) }
  }

  return {
    blockBytes: 8,
    lengthBytes: 4,
    tagBytes: TAG_BYTES,
    length: (head, place) => chacha20(lengthKey, place, head.subarray(0, 4)).readUInt32BE(),
    open(packet, place) {
      const sealed = packet.subarray(0, packet.length - TAG_BYTES)
      const { oneTimeKey, out } = crypt(sealed.subarray(4), place)
      const isTrue = timingSafeEqual(poly1305(oneTimeKey, sealed), packet.subarray(-TAG_BYTES))
      return isTrue ? out : undefined
    },
    seal(packet, place) {
      const { oneTimeKey, out } = crypt(packet.subarray(4), place)
      const sealed = Buffer.concat([chacha20(lengthKey, place, packet.subarray(0, 4)), out])
      return Buffer.concat([sealed, poly1305(oneTimeKey, sealed)])
    },
  }
}

/** The original ChaCha20: 64-bit block counter (0, little-endian), 64-bit nonce (the sequence number, big-endian). */
function chacha20(key: KeyObject, { sequence }: Place, text: Buffer): Buffer {
  const iv = Buffer.alloc(16)
  iv.writeUInt32BE(sequence, 12)
  return createCipheriv('chacha20', key, iv).update(text)
}
