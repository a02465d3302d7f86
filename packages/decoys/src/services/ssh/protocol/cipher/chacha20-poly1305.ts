// chacha20-poly1305@openssh.com (OpenSSH PROTOCOL.chacha20poly1305): two ChaCha20 keys, one of them for the length alone.
import { createCipheriv, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import { poly1305 } from './poly1305.ts'
import type { PacketCounters, Protection } from './protection.ts'

const TAG_BYTES = 16
/** Block 0 of the key stream gives the one-time key; block 1 begins the payload. */
const BLOCK_BYTES = 64

/** `key`: 64 bytes, K_2 (payload) before K_1 (length). */
export function chacha20Poly1305(key: Buffer): Protection {
  const payloadKey = createSecretKey(key.subarray(0, 32))
  const lengthKey = createSecretKey(key.subarray(32, 64))

  const crypt = (text: Buffer, counters: PacketCounters): { oneTimeKey: Buffer; out: Buffer } => {
    const stream = chacha20(payloadKey, counters, Buffer.concat([Buffer.alloc(BLOCK_BYTES), text]))
    return { oneTimeKey: stream.subarray(0, 32), out: stream.subarray(BLOCK_BYTES) }
  }

  return {
    blockBytes: 8,
    lengthBytes: 4,
    tagBytes: TAG_BYTES,
    length: (head, counters) => chacha20(lengthKey, counters, head.subarray(0, 4)).readUInt32BE(),
    open(packet, counters) {
      const sealed = packet.subarray(0, packet.length - TAG_BYTES)
      const { oneTimeKey, out } = crypt(sealed.subarray(4), counters)
      const isAuthentic = timingSafeEqual(poly1305(oneTimeKey, sealed), packet.subarray(-TAG_BYTES))
      return isAuthentic ? out : undefined
    },
    seal(packet, counters) {
      const { oneTimeKey, out } = crypt(packet.subarray(4), counters)
      const sealed = Buffer.concat([chacha20(lengthKey, counters, packet.subarray(0, 4)), out])
      return Buffer.concat([sealed, poly1305(oneTimeKey, sealed)])
    },
  }
}

/** The original ChaCha20: 64-bit block counter (0, little-endian), 64-bit nonce (the sequence number, big-endian). */
function chacha20(key: KeyObject, { sequence }: PacketCounters, text: Buffer): Buffer {
  const iv = Buffer.alloc(16)
  iv.writeUInt32BE(sequence, 12)
  return createCipheriv('chacha20', key, iv).update(text)
}
