// How the product has Node run; benchmarks and gates start it alike.

/**
 * The young generation of the heap, in megabytes for each half. A larger one contains more garbage, and a Bird's visitors wait for
 * each collection (docs/decisions/0009). Both processes collect what a flood has left behind themselves (docs/decisions/0027).
 * @param {number} young
 */
const flags = (young) => [
  `--max-semi-space-size=${young}`,
  '--expose-gc',
  '--disable-warning=ExperimentalWarning',
]
export const CONSOLE_FLAGS = flags(12)
export const BIRD_FLAGS = flags(4)

// Large buffers get mappings of their own, which return to the system when they are freed; threads share an arena, for each keeps
// what it has freed (docs/decisions/0019).
export const ALLOCATION = {
  MALLOC_MMAP_THRESHOLD_: '524288',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  MALLOC_ARENA_MAX: '2',
}
