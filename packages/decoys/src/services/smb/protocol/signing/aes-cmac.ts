// AES-CMAC (RFC 4493).
import { createCipheriv } from 'node:crypto'

const BLOCK = 16
const ZEROS = Buffer.alloc(BLOCK)
const NOTHING = Buffer.alloc(0)
const PIECE = 16 * 1024

/** Of a message in parts, of which each but the last is made of whole blocks. */
export function aesCmac(key: Buffer, ...message: readonly Buffer[]): Buffer {
  const full = message.filter(({ length }) => length > 0)
  const last = full.pop() ?? NOTHING
  const subkey = doubled(cbcMac(key, [ZEROS]))
  const tailAt = Math.max(0, Math.ceil(last.length / BLOCK) - 1) * BLOCK
  const tail = last.subarray(tailAt)
  const isWhole = tail.length === BLOCK
  const padded = isWhole ? Buffer.from(tail) : padWithBit(tail)
  const mask = isWhole ? subkey : doubled(subkey)
  for (let i = 0; i < BLOCK; i += 1) padded[i]! ^= mask[i]!
  return cbcMac(key, [...full, last.subarray(0, tailAt), padded])
}

/** The last block of CBC from a zero vector. It goes in pieces whose other blocks are dropped; the last part is one block. */
function cbcMac(key: Buffer, parts: readonly Buffer[]): Buffer {
  const cipher = createCipheriv('aes-128-cbc', key, ZEROS).setAutoPadding(false)
  let mac = NOTHING
  for (const part of parts)
    for (let at = 0; at < part.length; at += PIECE) mac = cipher.update(part.subarray(at, at + PIECE))
  return mac
}

/** Twice the value in GF(2^128). */
function doubled(block: Buffer): Buffer {
  const value = BigInt(`0x${block.toString('hex')}`) << 1n
  const reduced = block[0]! & 0x80 ? value ^ 0x87n : value
  return Buffer.from(BigInt.asUintN(128, reduced).toString(16).padStart(32, '0'), 'hex')
}

function padWithBit(tail: Buffer): Buffer {
  const block = Buffer.alloc(BLOCK)
  tail.copy(block)
  block[tail.length] = 0x80
  return block
}
