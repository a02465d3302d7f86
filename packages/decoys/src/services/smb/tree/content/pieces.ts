// A file as a head, a gap that is filled from the seed, and a tail: any part of it can be read without the rest.
import { createCipheriv } from 'node:crypto'
import { join } from '../../codec/fields.ts'

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
): Buffer {
  const end = Math.min(offset + length, size)
  if (offset >= end) return Buffer.alloc(0)
  const tailAt = head.length + gap
  if (offset >= head.length && end <= tailAt) return filler(key, offset, end)
  return join(
    head.subarray(offset, end),
    filler(key, Math.max(offset, head.length), Math.min(end, tailAt)),
    tail.subarray(Math.max(0, offset - tailAt), Math.max(0, end - tailAt)),
  )
}

const BLOCK = 16
/** As long as the largest read, with the bytes before it in its block: no read needs zeros of its own. */
const ZEROS = Buffer.alloc(1024 * 1024 + BLOCK)

/** Bytes of the key's AES-CTR stream from one offset to another. */
function filler(key: Buffer, from: number, to: number): Buffer {
  if (from >= to) return Buffer.alloc(0)
  const counter = Buffer.alloc(BLOCK)
  counter.writeBigUInt64BE(BigInt(Math.floor(from / BLOCK)), 8)
  const skipped = from % BLOCK
  const cipher = createCipheriv('aes-128-ctr', key, counter)
  const length = skipped + to - from
  const zeros = length <= ZEROS.length ? ZEROS.subarray(0, length) : Buffer.alloc(length)
  return cipher.update(zeros).subarray(skipped)
}
