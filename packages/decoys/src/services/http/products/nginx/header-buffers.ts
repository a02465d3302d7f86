// nginx keeps a head in a buffer of 1 KiB, then in up to four of 8 KiB; no line may lie in two of them
// (client_header_buffer_size, large_client_header_buffers).

export const MAX_LINE_BYTES = 8_192
const FIRST_BYTES = 1_024
const MAX_LARGE = 4

export function headerBuffers() {
  let left = FIRST_BYTES
  let large = 0
  return {
    /** Takes a whole line in; false: there is no room. */
    fits(length: number) {
      if (length > left) {
        large += 1
        left = MAX_LINE_BYTES
      }
      left -= length
      return left >= 0 && large <= MAX_LARGE
    },
    /** Whether the part of a line that is there has room. */
    holds: (length: number) => length < left || (length < MAX_LINE_BYTES && large < MAX_LARGE),
  }
}

export type HeaderBuffers = ReturnType<typeof headerBuffers>
