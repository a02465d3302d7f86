// A file as a head, a gap that is filled from the seed, and a tail: any part of it can be read without the rest.
import { createCipheriv } from 'node:crypto'
import { inOrder, type Content } from '../../../../../windows/fields.ts'

export interface Pieces {
  readonly head: Buffer
  /** Bytes between them. */
  readonly gap: number
  readonly tail: Buffer
}

/** `length` bytes from `offset`, or as many as there are up to `size`. `key`: 16 bytes that the gap is made of. */
export function readPieces(
  { head, gap, tail }: Pieces,
  key: Buffer,
  size: number,
  offset: number,
  length: number,
): Content {
  const end = Math.max(offset, Math.min(offset + length, size))
  const tailAt = head.length + gap
  return inOrder(
    head.subarray(offset, end),
    filler(key, Math.max(offset, head.length), Math.min(end, tailAt)),
    tail.subarray(Math.max(0, offset - tailAt), Math.max(0, end - tailAt)),
  )
}

const BLOCK = 16
/** In pieces, so that a large read is not in memory twice. */
const ZEROS = Buffer.alloc(16 * 1024)

/** Bytes of the key's AES-CTR stream from one offset to another. */
const filler = (key: Buffer, from: number, to: number): Content => ({
  length: Math.max(0, to - from),
  copy(target, at) {
    if (from >= to) return
    const counter = Buffer.alloc(BLOCK)
    counter.writeBigUInt64BE(BigInt(Math.floor(from / BLOCK)), 8)
    const cipher = createCipheriv('aes-128-ctr', key, counter)
    cipher.update(ZEROS.subarray(0, from % BLOCK))
    for (const end = at + to - from; at < end;)
      at += cipher.update(ZEROS.subarray(0, end - at)).copy(target, at)
  },
})
