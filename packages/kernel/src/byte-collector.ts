// Collects bytes in one buffer that doubles: a list of chunks would keep the memory of each small chunk.
const FIRST_BYTES = 1_024

export function byteCollector() {
  let buffer = Buffer.alloc(0)
  let length = 0
  return {
    add(bytes: Buffer) {
      if (length + bytes.length > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * buffer.length, length + bytes.length))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      bytes.copy(buffer, length)
      length += bytes.length
    },
    /** What was collected; valid until the next `add`. */
    bytes: (): Buffer => buffer.subarray(0, length),
  }
}

export type ByteCollector = ReturnType<typeof byteCollector>
