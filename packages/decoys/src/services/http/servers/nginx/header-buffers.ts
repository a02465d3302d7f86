// nginx keeps a head in a buffer of 1 KiB, then in up to four of 8 KiB; no line may lie in two of them
// (client_header_buffer_size, large_client_header_buffers).

export const MAX_LINE_BYTES = 8_192
const FIRST_BYTES = 1_024
const MOST_LARGE = 4

export interface HeaderBuffers {
  /** Takes a whole line in; false: there is no room. */
  readonly fits: (length: number) => boolean
  /** Whether the part of a line that is there has room. */
  readonly holds: (length: number) => boolean
}

export function headerBuffers(): HeaderBuffers {
  let left = FIRST_BYTES
  let large = 0
  return {
    fits(length) {
      if (length > left) {
        large += 1
        left = MAX_LINE_BYTES
      }
      left -= length
      return left >= 0 && large <= MOST_LARGE
    },
    holds: (length) => length < left || (length < MAX_LINE_BYTES && large < MOST_LARGE),
  }
}
