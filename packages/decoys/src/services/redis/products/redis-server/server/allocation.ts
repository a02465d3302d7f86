// How much memory Redis takes for a text: its header (sds), and what jemalloc gives in its place.

/** Four classes between one power of two and the next, in steps of 16 at first. */
export function sizeClass(bytes: number): number {
  if (bytes <= 8) return 8
  const step = bytes <= 128 ? 16 : 2 ** (Math.ceil(Math.log2(bytes)) - 3)
  return Math.ceil(bytes / step) * step
}

/** Header and NUL of a string of this length. */
export const overhead = (length: number): number => (length < 256 ? 4 : 6)
