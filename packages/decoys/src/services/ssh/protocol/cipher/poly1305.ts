// Poly1305 (RFC 8439, 2.5) in 13-bit limbs: their products and sums are exact in doubles. node:crypto has Poly1305 only as
// part of the IETF AEAD, which authenticates more than OpenSSH's construction.
const LIMBS = 10
const MASK = 0x1fff

/** The 16-byte tag of the message under a one-time key of 32 bytes. */
export function poly1305(key: Buffer, message: Buffer): Buffer {
  const r = limbs(clamped(key.subarray(0, 16)))
  const sum = new Float64Array(LIMBS)
  const product = new Float64Array(LIMBS)
  const block = Buffer.alloc(17)
  for (let at = 0; at < message.length; at += 16) {
    const size = Math.min(16, message.length - at)
    block.fill(0)
    message.copy(block, 0, at, at + size)
    block[size] = 1
    add(sum, block)
    multiply(sum, r, product)
  }
  return tag(sum, key)
}

function clamped(r: Buffer): Buffer {
  const bytes = Buffer.from(r)
  for (const i of [3, 7, 11, 15]) bytes[i]! &= 15
  for (const i of [4, 8, 12]) bytes[i]! &= 252
  return bytes
}

/** Little-endian bytes as limbs, the lowest first. */
function limbs(bytes: Buffer): Float64Array {
  const out = new Float64Array(LIMBS)
  add(out, bytes)
  return out
}

function add(sum: Float64Array, bytes: Buffer): void {
  for (let i = 0; i < LIMBS; i += 1) {
    const bit = 13 * i
    const at = bit >> 3
    const three = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)
    sum[i]! += (three >> (bit & 7)) & MASK
  }
}

/** sum ← sum · r mod 2¹³⁰ − 5, every limb below 2¹⁴ again. */
function multiply(sum: Float64Array, r: Float64Array, product: Float64Array): void {
  for (let i = 0; i < LIMBS; i += 1) product[i] = column(sum, r, i)
  carry(product)
  sum.set(product)
}

/** Limb `i` of the product; what exceeds 2¹³⁰ comes back five times. */
function column(sum: Float64Array, r: Float64Array, i: number): number {
  let low = 0
  for (let j = 0; j <= i; j += 1) low += sum[j]! * r[i - j]!
  let high = 0
  for (let j = i + 1; j < LIMBS; j += 1) high += sum[j]! * r[i + LIMBS - j]!
  return low + 5 * high
}

function carry(limb: Float64Array): void {
  for (let round = 0; round < 2; round += 1) {
    let c = 0
    for (let i = 0; i < LIMBS; i += 1) {
      const value = limb[i]! + c
      c = Math.floor(value / 8192)
      limb[i] = value - c * 8192
    }
    limb[0]! += 5 * c
  }
}

/** ((sum mod 2¹³⁰ − 5) + s) mod 2¹²⁸. Once a message, so BigInt is fast enough. */
function tag(sum: Float64Array, key: Buffer): Buffer {
  let value = 0n
  for (let i = LIMBS - 1; i >= 0; i -= 1) value = (value << 13n) + BigInt(sum[i]!)
  value %= (1n << 130n) - 5n
  value += key.readBigUInt64LE(16) + (key.readBigUInt64LE(24) << 64n)
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64LE(value & 0xffff_ffff_ffff_ffffn, 0)
  bytes.writeBigUInt64LE((value >> 64n) & 0xffff_ffff_ffff_ffffn, 8)
  return bytes
}
