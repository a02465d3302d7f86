// V8 counts the memory of buffers late: tens of megabytes of dropped ones wait for its next collection, and the C library then
// keeps their pages (docs/decisions/0027).

/**
 * Answers what is called with the length of each buffer that has been used: after each `every` bytes it collects what was
 * allocated lately, in about a millisecond; nothing where Node runs without `--expose-gc`.
 */
export function youngGarbage(every: number): (bytes: number) => void {
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < every) return
    since = 0
    globalThis.gc?.({ type: 'minor' })
  }
}
