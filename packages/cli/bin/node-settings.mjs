// How the product has Node run; benchmarks and gates start it alike.

// A small young generation: under load a large one only contains more garbage (docs/decisions/0009). The console collects what a
// flood has left behind itself (docs/decisions/0027).
export const NODE_FLAGS = ['--max-semi-space-size=8', '--expose-gc', '--disable-warning=ExperimentalWarning']

// Large buffers get mappings of their own, which return to the system when they are freed (docs/decisions/0019).
export const ALLOCATION = { MALLOC_MMAP_THRESHOLD_: '524288', MALLOC_TRIM_THRESHOLD_: '1048576' }
