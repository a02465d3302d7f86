// UMAC (RFC 4418) with tags of 8 or 16 bytes, for messages up to 16 MiB; an SSH packet has at most 256 KiB. So the 128-bit
// polynomial of the second layer (5.3.2) is left out.
import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto'

const CHUNK_BYTES = 1024
const P64 = (1n << 64n) - 59n
const P36 = 2 ** 36 - 5
const TWO32 = 2 ** 32
/** The mask for the second layer's 64-bit keys (5.3.1). */
const K64_MASK = 0x01ff_ffff_01ff_ffffn

/** Returns the function from message and nonce (8 bytes) to tag. */
export function umac(keyBytes: Buffer, tagBytes: 8 | 16): (message: Buffer, nonce: Buffer) => Buffer {
  const key = createSecretKey(keyBytes)
  const rounds = tagBytes / 4
  const derive = (index: number, bytes: number): Buffer => kdf(key, index, bytes)
  const layer1 = words(derive(1, CHUNK_BYTES + (rounds - 1) * 16))
  const layer2 = derive(2, rounds * 24)
  const layer3 = derive(3, rounds * 64)
  const mask = derive(4, rounds * 4)
  const padKey = createSecretKey(derive(0, 16))
  const hashes = Array.from({ length: rounds }, (_, i) => ({
    chunkKey: layer1.subarray(i * 4, i * 4 + CHUNK_BYTES / 4),
    polyKey: layer2.readBigUInt64BE(i * 24) & K64_MASK,
    innerKey: Array.from({ length: 8 }, (_, j) =>
      Number(layer3.readBigUInt64BE(i * 64 + j * 8) % BigInt(P36)),
    ),
    mask: mask.readUInt32BE(i * 4),
  }))

  return (message, nonce) => {
    const tag = pad(padKey, nonce, tagBytes)
    const chunks = swappedChunks(message)
    hashes.forEach(({ chunkKey, polyKey, innerKey, mask: last }, i) => {
      const compressed = chunks.map((chunk) => nh(chunkKey, chunk))
      const value = compressed.length === 1 ? compressed[0]! : poly(polyKey, compressed)
      const hash = (inner(innerKey, value) ^ last ^ tag.readUInt32BE(i * 4)) >>> 0
      tag.writeUInt32BE(hash, i * 4)
    })
    return tag
  }
}

/** 3.2.1: AES in counter mode over index and counter. */
function kdf(key: KeyObject, index: number, bytes: number): Buffer {
  const input = Buffer.alloc(Math.ceil(bytes / 16) * 16)
  for (let at = 0; at < input.length; at += 16) {
    input[at + 7] = index
    input.writeUInt32BE(at / 16 + 1, at + 12)
  }
  return aes(key, input).subarray(0, bytes)
}

/** 3.3.1: one block gives two 8-byte pads; the nonce's last bit chooses. */
function pad(key: KeyObject, nonce: Buffer, tagBytes: 8 | 16): Buffer {
  const block = Buffer.alloc(16)
  nonce.copy(block)
  const half = tagBytes === 8 ? nonce[7]! & 1 : 0
  block[7]! ^= half
  return Buffer.from(aes(key, block).subarray(half * 8, half * 8 + tagBytes))
}

function aes(key: KeyObject, input: Buffer): Buffer {
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(input)
}

function words(bytes: Buffer): Uint32Array {
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(i * 4))
}

interface Chunk {
  readonly words: Uint32Array
  readonly bits: number
}

/** Chunks of 1,024 bytes, the last padded to a multiple of 32, as little-endian words (ENDIAN-SWAP). */
function swappedChunks(message: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at === 0 || at < message.length; at += CHUNK_BYTES) {
    const bytes = message.subarray(at, at + CHUNK_BYTES)
    const padded = Buffer.alloc(Math.max(32, Math.ceil(bytes.length / 32) * 32))
    bytes.copy(padded)
    const swapped = Uint32Array.from({ length: padded.length / 4 }, (_, i) => padded.readUInt32LE(i * 4))
    chunks.push({ words: swapped, bits: bytes.length * 8 })
  }
  return chunks
}

/** 5.2.2: NH plus the length, modulo 2⁶⁴. Products of 32-bit words are summed as two halves in doubles. */
function nh(key: Uint32Array, { words: text, bits }: Chunk): bigint {
  let low = bits
  let high = 0
  for (let i = 0; i < text.length; i += 8) {
    for (let j = i; j < i + 4; j += 1) {
      const a = (text[j]! + key[j]!) >>> 0
      const b = (text[j + 4]! + key[j + 4]!) >>> 0
      const lowLow = (a & 0xffff) * (b & 0xffff)
      const middle = (a >>> 16) * (b & 0xffff) + (a & 0xffff) * (b >>> 16) + (lowLow >>> 16)
      low += (middle % 65536) * 65536 + (lowLow & 0xffff)
      high += (a >>> 16) * (b >>> 16) + Math.floor(middle / 65536)
    }
  }
  return BigInt.asUintN(64, BigInt(high) * BigInt(TWO32) + BigInt(low))
}

/** 5.3.3: a polynomial modulo 2⁶⁴ − 59. A value near 2⁶⁴ gets a marker before it and is reduced. */
function poly(key: bigint, values: readonly bigint[]): bigint {
  let y = 1n
  for (const value of values) {
    if (value >= 0xffff_ffff_0000_0000n) {
      y = (key * y + (P64 - 1n)) % P64
      y = (key * y + (value - 59n)) % P64
    } else {
      y = (key * y + value) % P64
    }
  }
  return y
}

/** 5.4: inner product with 16-bit digits of the 128-bit value (its upper half is zero) modulo 2³⁶ − 5, to 32 bits. */
function inner(key: readonly number[], value: bigint): number {
  let sum = 0
  for (let i = 4; i < 8; i += 1) {
    const digit = Number((value >> BigInt(16 * (7 - i))) & 0xffffn)
    sum = (sum + ((digit * key[i]!) % P36)) % P36
  }
  return (sum % TWO32) | 0
}
