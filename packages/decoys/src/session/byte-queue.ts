// Bytes that wait for the rest of their frame.

const EMPTY = Buffer.alloc(0)
const MIN_CAPACITY = 64

/**
 * Grows by doubling, and never overwrites bytes that a frame may still point at. `frameBytes`: what the frame at the front is
 * known to need; it gets no more than that while it is not whole, for peers that send half of a frame are many.
 */
export function byteQueue() {
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
  const reallocate = (extra: number, frameBytes: number): void => {
    const length = end - start
    const needed = length + extra
    const most = frameBytes >= needed ? frameBytes : Infinity
    const grown = Buffer.allocUnsafe(Math.max(MIN_CAPACITY, Math.min(2 * needed, most)))
    buffer.copy(grown, 0, start, end)
    replace(grown, length, true)
  }

  return {
    get length() {
      return end - start
    },
    /** Bytes that are allocated for it. */
    get memory() {
      return start === end ? 0 : buffer.length
    },
    /** All bytes in order, without a copy. Later calls of `append` do not change them. */
    view: (): Buffer => (start === 0 && end === buffer.length ? buffer : buffer.subarray(start, end)),
    /** Removes bytes from the front. */
    skip: (length: number) => void (start += length),
    clear: () => replace(EMPTY, 0, false),
    append(bytes: Buffer, frameBytes = 0) {
      if (start === end) return replace(bytes, bytes.length, false)
      if (!isOwned || end + bytes.length > buffer.length) reallocate(bytes.length, frameBytes)
      bytes.copy(buffer, end)
      end += bytes.length
    },
    /** Copies the rest out of a chunk that is much bigger, so that the chunk can be freed. */
    compact(frameBytes = 0) {
      if (start === end) replace(EMPTY, 0, false)
      else if (!isOwned || start > buffer.length / 2) reallocate(0, frameBytes)
    },
  }
}

export type ByteQueue = ReturnType<typeof byteQueue>
