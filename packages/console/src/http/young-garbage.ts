// V8 counts the memory of buffers late: tens of megabytes of dropped ones wait for its next collection, and the C library then
// keeps their pages (docs/decisions/0027).

/** Collects what was allocated lately, in about a millisecond; nothing where Node runs without `--expose-gc`. */
export const collectYoung = (): void => globalThis.gc?.({ type: 'minor' })
