// BLAKE2s with a key (RFC 7693), which Node has no name for: OpenSSL offers the hash without a key and with 32 bytes alone.

const BLOCK_BYTES = 64
const ROUNDS = 10

/** The first 32 bits of the fractional parts of the square roots of the first eight primes (2.6). */
const IV = Uint32Array.of(
  ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
)

/** Which word of the block each step of a round takes (2.7). */
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
].flat()

/** Columns, then diagonals, of the four rows of the working vector (3.2). */
const MIXES = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
].flat()

/** Working vector and words of the block: a hash is made in one go, so that all of them can share these. */
const v = new Uint32Array(16)
const words = new Uint32Array(16)

/**
 * A hash of `length` bytes (1 to 32) under a key of at most 32 bytes; an empty key is none. The block of the key is hashed
 * once for all messages.
 */
export function openBlake2s(length: number, key: Uint8Array): (message: Uint8Array) => Buffer {
  const start = Uint32Array.from(IV)
  start[0]! ^= 0x01010000 ^ (key.length << 8) ^ length
  const keyBlock = new Uint8Array(BLOCK_BYTES)
  keyBlock.set(key)
  const isKeyed = key.length > 0
  const afterKey = Uint32Array.from(start)
  if (isKeyed) compress(afterKey, keyBlock, 0, BLOCK_BYTES, false)

  return (message) => {
    if (isKeyed && message.length === 0) return digestOf(start, keyBlock, 0)
    return digestOf(afterKey, message, isKeyed ? BLOCK_BYTES : 0)
  }

  /** `before`: bytes that were hashed already. */
  function digestOf(from: Uint32Array, message: Uint8Array, before: number): Buffer {
    const state = Uint32Array.from(from)
    let at = 0
    for (; message.length - at > BLOCK_BYTES; at += BLOCK_BYTES)
      compress(state, message, at, before + at + BLOCK_BYTES, false)
    compress(state, message, at, before + message.length, true)
    const digest = Buffer.alloc(32)
    state.forEach((word, index) => digest.writeUInt32LE(word, index * 4))
    return digest.subarray(0, length)
  }
}

/** The function F (3.2) of the block at `at`, filled up with zeros; `total` bytes are hashed after it. */
function compress(state: Uint32Array, bytes: Uint8Array, at: number, total: number, isLast: boolean): void {
  for (let word = 0; word < 16; word++) {
    const from = at + word * 4
    words[word] =
      (bytes[from] ?? 0) |
      ((bytes[from + 1] ?? 0) << 8) |
      ((bytes[from + 2] ?? 0) << 16) |
      ((bytes[from + 3] ?? 0) << 24)
  }
  v.set(state)
  v.set(IV, 8)
  v[12]! ^= total
  if (isLast) v[14]! ^= 0xffffffff
  for (let step = 0, mix = 0; step < ROUNDS * 16; step += 2, mix = (mix + 4) % MIXES.length)
    mixWords(mix, words[SIGMA[step]!]!, words[SIGMA[step + 1]!]!)
  for (let word = 0; word < 8; word++) state[word]! ^= v[word]! ^ v[word + 8]!
}

/** The function G (3.1) of the four words that `MIXES` names at `mix`. */
function mixWords(mix: number, x: number, y: number): void {
  const [ia, ib, ic, id] = [MIXES[mix]!, MIXES[mix + 1]!, MIXES[mix + 2]!, MIXES[mix + 3]!]
  let a = v[ia]!
  let b = v[ib]!
  let c = v[ic]!
  let d = v[id]!
  a = (a + b + x) | 0
  d = rotateRight(d ^ a, 16)
  c = (c + d) | 0
  b = rotateRight(b ^ c, 12)
  a = (a + b + y) | 0
  d = rotateRight(d ^ a, 8)
  c = (c + d) | 0
  b = rotateRight(b ^ c, 7)
  v[ia] = a
  v[ib] = b
  v[ic] = c
  v[id] = d
}

const rotateRight = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))
