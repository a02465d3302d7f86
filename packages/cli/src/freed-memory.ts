// Memory that the program has freed and the C library keeps: blocks in use lie between, and nothing gives it back unasked
// (docs/decisions/0027).
const MEBIBYTE = 1024 * 1024
const EVERY_MS = 1_000
/** So much more than before is worth a call. */
const GAINED_BYTES = 12 * MEBIBYTE
const WORTH_BYTES = 4 * MEBIBYTE
/** Ticks between two calls; twice as many after each that gave nothing back. */
const MIN_PAUSE = 5
const MAX_PAUSE = 300

export interface FreedMemoryDeps {
  /** Bytes of this process that are in the machine's memory. */
  readonly resident: () => number
  /** Gives back what is freed. */
  readonly release: () => void
}

/** Answers what is to be called once a second. */
export function freedMemory({ resident, release }: FreedMemoryDeps): () => void {
  let lowest = Number.POSITIVE_INFINITY
  let after = Number.POSITIVE_INFINITY
  let pause = MIN_PAUSE
  let waited = 0

  return () => {
    const bytes = resident()
    lowest = Math.min(lowest, bytes)
    if (bytes - after >= GAINED_BYTES) pause = MIN_PAUSE
    else if (++waited < pause) return
    if (bytes - lowest < GAINED_BYTES) return
    release()
    after = resident()
    pause = bytes - after >= WORTH_BYTES ? MIN_PAUSE : Math.min(2 * pause, MAX_PAUSE)
    waited = 0
  }
}

/**
 * Until the process ends. `collect` frees what the program has dropped, before; a process whose heap is large leaves that to V8.
 * Without glibc nothing goes back: other C libraries have no such call.
 */
export function returnFreedMemory(collect: () => void = () => undefined): void {
  let trim: (() => unknown) | undefined
  const tick = freedMemory({
    resident: () => process.memoryUsage.rss(),
    release() {
      collect()
      if (trim) return void trim()
      // The library takes 7 MB: it is loaded when there is more to gain.
      void loadTrim().then((call) => (trim = call)())
    },
  })
  setInterval(tick, EVERY_MS).unref()
}

/** `malloc_trim(3)`. */
async function loadTrim(): Promise<() => unknown> {
  const { default: koffi } = await import('koffi')
  try {
    const call = koffi.load('libc.so.6').func('int malloc_trim(size_t)') as (pad: number) => number
    return () => call(0)
  } catch {
    return () => undefined
  }
}
