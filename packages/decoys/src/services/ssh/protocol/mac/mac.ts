// The MAC algorithms by their names (RFC 6668, RFC 4253, OpenSSH PROTOCOL).
import { byWord } from '@rookery/kernel/by-word.ts'
import { createHmac, createSecretKey } from 'node:crypto'
import { umac } from './umac.ts'

export interface Mac {
  readonly tagBytes: number
  readonly isEncryptThenMac: boolean
  readonly tag: (sequence: number, packet: Buffer) => Buffer
}

export interface MacAlgorithm {
  readonly keyBytes: number
  readonly build: (key: Buffer) => Mac
}

const hmac = (hash: string, bytes: number, isEncryptThenMac: boolean): MacAlgorithm => ({
  keyBytes: bytes,
  build(keyBytes) {
    const key = createSecretKey(keyBytes)
    return {
      tagBytes: bytes,
      isEncryptThenMac,
      tag(sequence, packet) {
        const head = Buffer.allocUnsafe(4)
        head.writeUInt32BE(sequence)
        return createHmac(hash, key).update(head).update(packet).digest()
      },
    }
  },
})

/** UMAC's nonce is the sequence number as 64 bits. */
const umacOf = (tagBytes: 8 | 16, isEncryptThenMac: boolean): MacAlgorithm => ({
  keyBytes: 16,
  build(key) {
    const hash = umac(key, tagBytes)
    return {
      tagBytes,
      isEncryptThenMac,
      tag(sequence, packet) {
        const nonce = Buffer.alloc(8)
        nonce.writeUInt32BE(sequence, 4)
        return hash(packet, nonce)
      },
    }
  },
})

export const macs = byWord<MacAlgorithm>({
  'umac-64@openssh.com': umacOf(8, false),
  'umac-64-etm@openssh.com': umacOf(8, true),
  'umac-128@openssh.com': umacOf(16, false),
  'umac-128-etm@openssh.com': umacOf(16, true),
  'hmac-sha1': hmac('sha1', 20, false),
  'hmac-sha1-etm@openssh.com': hmac('sha1', 20, true),
  'hmac-sha2-256': hmac('sha256', 32, false),
  'hmac-sha2-256-etm@openssh.com': hmac('sha256', 32, true),
  'hmac-sha2-512': hmac('sha512', 64, false),
  'hmac-sha2-512-etm@openssh.com': hmac('sha512', 64, true),
})
