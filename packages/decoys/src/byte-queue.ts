// Bytes that wait for the rest of their frame.

const EMPTY = Buffer.alloc(0)
const MIN_CAPACITY = 64

export interface ByteQueue {
  readonly length: number
  /** Bytes that are allocated for it. */
  readonly memory: number
  /** All bytes in order, without a copy. Later calls of `append` do not change them. */
  view(): Buffer
  append(bytes: Buffer): void
  /** Removes bytes from the front. */
  skip(length: number): void
  clear(): void
  /** Copies the rest out of a chunk that is much bigger, so that the chunk can be freed. */
  compact(): void
}

/** Grows by doubling, and never overwrites bytes that a frame may still point at. */
export function byteQueue(): ByteQueue {
  let buffer: Buffer = EMPTY
  let start = 0
  let end = 0
  /** False while `buffer` is a chunk of the socket: it has no room to append to. */
  let isOwned = false

  const replace = (by: Buffer, length: number, owned: boolean): void => {
    buffer = by
    start = 0
    end = length
    isOwned = owned
  }
  const reallocate = (extra: number): void => {
    const length = end - start
    const grown = Buffer.allocUnsafe(Math.max(MIN_CAPACITY, 2 * (length + extra)))
    buffer.copy(grown, 0, start, end)
    replace(grown, length, true)
  }

  return {
    get length() {
      return end - start
    },
    get memory() {
      return start === end ? 0 : buffer.length
    },
    view: () => (start === 0 && end === buffer.length ? buffer : buffer.subarray(start, end)),
    skip: (length) => void (start += length),
    clear: () => replace(EMPTY, 0, false),
    append(bytes) {
      if (start === end) return replace(bytes, bytes.length, false)
      if (!isOwned || end + bytes.length > buffer.length) reallocate(bytes.length)
      bytes.copy(buffer, end)
      end += bytes.length
    },
    compact() {
      if (start === end) replace(EMPTY, 0, false)
      else if (!isOwned || start > buffer.length / 2) reallocate(0)
    },
  }
}
