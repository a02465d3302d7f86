// aes128-ctr, aes192-ctr, aes256-ctr (RFC 4344) with a MAC over the unencrypted packet (RFC 4253, 6.4). With the names in
// -etm@openssh.com (OpenSSH PROTOCOL, 1.4) the MAC is over the encrypted packet, whose length is in clear.
import { createCipheriv, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Mac } from '../mac/mac.ts'
import type { PacketCounters, Protection } from './protection.ts'

const BLOCK_BYTES = 16

/** `iv`: 16 bytes, the first counter block. */
export function aesCtr(keyBytes: Buffer, iv: Buffer, mac: Mac): Protection {
  const algorithm = `aes-${keyBytes.length * 8}-ctr`
  const key = createSecretKey(keyBytes)
  const high = iv.readBigUInt64BE(0)
  const low = iv.readBigUInt64BE(8)
  const crypt = (text: Buffer, { blocks }: PacketCounters): Buffer => {
    const counter = Buffer.allocUnsafe(BLOCK_BYTES)
    const sum = low + BigInt(blocks)
    counter.writeBigUInt64BE(BigInt.asUintN(64, high + (sum >> 64n)), 0)
    counter.writeBigUInt64BE(BigInt.asUintN(64, sum), 8)
    return createCipheriv(algorithm, key, counter).update(text)
  }
  const isAuthentic = (text: Buffer, tag: Buffer, { sequence }: PacketCounters): boolean =>
    timingSafeEqual(mac.tag(sequence, text), tag)
  const splitTag = (packet: Buffer): [Buffer, Buffer] => [
    packet.subarray(0, packet.length - mac.tagBytes),
    packet.subarray(packet.length - mac.tagBytes),
  ]
  const common = { blockBytes: BLOCK_BYTES, tagBytes: mac.tagBytes }

  if (mac.isEncryptThenMac) {
    return {
      ...common,
      lengthBytes: 4,
      length: (head) => head.readUInt32BE(),
      open(packet, counters) {
        const [sealed, tag] = splitTag(packet)
        return isAuthentic(sealed, tag, counters) ? crypt(sealed.subarray(4), counters) : undefined
      },
      seal(packet, counters) {
        const sealed = Buffer.concat([packet.subarray(0, 4), crypt(packet.subarray(4), counters)])
        return Buffer.concat([sealed, mac.tag(counters.sequence, sealed)])
      },
    }
  }
  return {
    ...common,
    lengthBytes: 0,
    length: (head, counters) => crypt(head.subarray(0, BLOCK_BYTES), counters).readUInt32BE(),
    open(packet, counters) {
      const [sealed, tag] = splitTag(packet)
      const text = crypt(sealed, counters)
      return isAuthentic(text, tag, counters) ? text.subarray(4) : undefined
    },
    seal: (packet, counters) => Buffer.concat([crypt(packet, counters), mac.tag(counters.sequence, packet)]),
  }
}
