// aes128-gcm@openssh.com and aes256-gcm@openssh.com (RFC 5647 as OpenSSH negotiates it): the length is in clear, and authenticated.
import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import type { PacketCounters, Protection } from './protection.ts'

const TAG_BYTES = 16

/** `iv`: 12 bytes, 4 fixed and a 64-bit invocation counter that rises with every packet. */
export function aesGcm(keyBytes: Buffer, iv: Buffer): Protection {
  const algorithm = keyBytes.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm'
  const key = createSecretKey(keyBytes)
  const first = iv.readBigUInt64BE(4)
  const nonce = ({ packets }: PacketCounters): Buffer => {
    const bytes = Buffer.from(iv.subarray(0, 12))
    bytes.writeBigUInt64BE(BigInt.asUintN(64, first + BigInt(packets)), 4)
    return bytes
  }
  return {
    blockBytes: 16,
    lengthBytes: 4,
    tagBytes: TAG_BYTES,
    length: (head) => head.readUInt32BE(),
    open(packet, counters) {
      const cipher = createDecipheriv(algorithm, key, nonce(counters))
      cipher.setAAD(packet.subarray(0, 4))
      cipher.setAuthTag(packet.subarray(-TAG_BYTES))
      const text = cipher.update(packet.subarray(4, -TAG_BYTES))
      try {
        cipher.final()
      } catch {
        return undefined
      }
      return text
    },
    seal(packet, counters) {
      const cipher = createCipheriv(algorithm, key, nonce(counters))
      cipher.setAAD(packet.subarray(0, 4))
      const text = cipher.update(packet.subarray(4))
      cipher.final()
      return Buffer.concat([packet.subarray(0, 4), text, cipher.getAuthTag()])
    },
  }
}
