// aes128-ctr, aes192-ctr, aes256-ctr (RFC 4344) with a MAC: over the plain packet (RFC 4253, 6.4), or over the
// encrypted one with a clear length (the -etm@openssh.com names; OpenSSH PROTOCOL, 1.4).
import { createCipheriv, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Mac } from '../mac/mac.ts'
import type { Place, Protection } from './protection.ts'

const BLOCK_BYTES = 16

/** `iv`: 16 bytes, the first counter block. */
export function aesCtr(keyBytes: Buffer, iv: Buffer, mac: Mac): Protection {
  const algorithm = `aes-${keyBytes.length * 8}-ctr`
  const key = createSecretKey(keyBytes)
  const high = iv.readBigUInt64BE(0)
  const low = iv.readBigUInt64BE(8)
  const crypt = (text: Buffer, { blocks }: Place): Buffer => {
    const counter = Buffer.allocUnsafe(BLOCK_BYTES)
    const sum = low + BigInt(blocks)
    counter.writeBigUInt64BE(BigInt.asUintN(64, high + (sum >> 64n)), 0)
    counter.writeBigUInt64BE(BigInt.asUintN(64, sum), 8)
    return createCipheriv(algorithm, key, counter).update(text)
  }
  const isTrue = (text: Buffer, tag: Buffer, { sequence }: Place): boolean =>
    timingSafeEqual(mac.tag(sequence, text), tag)
  const parts = (packet: Buffer): [Buffer, Buffer] => [
    packet.subarray(0, packet.length - mac.tagBytes),
    packet.subarray(packet.length - mac.tagBytes),
  ]
  const common = { blockBytes: BLOCK_BYTES, tagBytes: mac.tagBytes }

  if (mac.isEncryptThenMac) {
    return {
      ...common,
      lengthBytes: 4,
      length: (head) => head.readUInt32BE(),
      open(packet, place) {
        const [sealed, tag] = parts(packet)
        return isTrue(sealed, tag, place) ? crypt(sealed.subarray(4), place) : undefined
      },
      seal(packet, place) {
        const sealed = Buffer.concat([packet.subarray(0, 4), crypt(packet.subarray(4), place)])
        return Buffer.concat([sealed, mac.tag(place.sequence, sealed)])
      },
    }
  }
  return {
    ...common,
    lengthBytes: 0,
    length: (head, place) => crypt(head.subarray(0, BLOCK_BYTES), place).readUInt32BE(),
    open(packet, place) {
      const [sealed, tag] = parts(packet)
      const text = crypt(sealed, place)
      return isTrue(text, tag, place) ? text.subarray(4) : undefined
    },
    seal: (packet, place) => Buffer.concat([crypt(packet, place), mac.tag(place.sequence, packet)]),
  }
}
