// AES-CMAC (RFC 4493).
import { createCipheriv } from 'node:crypto'

const BLOCK = 16
const ZEROS = Buffer.alloc(BLOCK)

export function aesCmac(key: Buffer, message: Buffer): Buffer {
  const subkey = doubled(encryptCbc(key, ZEROS))
  const blocks = Math.max(1, Math.ceil(message.length / BLOCK))
  const head = message.subarray(0, (blocks - 1) * BLOCK)
  const tail = message.subarray(head.length)
  const isWhole = tail.length === BLOCK
  const padded = isWhole ? Buffer.from(tail) : padWithBit(tail)
  const mask = isWhole ? subkey : doubled(subkey)
  for (let i = 0; i < BLOCK; i += 1) padded[i]! ^= mask[i]!
  return encryptCbc(key, Buffer.concat([head, padded])).subarray(-BLOCK)
}

/** CBC from a zero vector: its last block is the CBC-MAC. */
function encryptCbc(key: Buffer, text: Buffer): Buffer {
  const cipher = createCipheriv('aes-128-cbc', key, ZEROS).setAutoPadding(false)
  return Buffer.concat([cipher.update(text), cipher.final()])
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
