// V8 counts the memory of buffers late: tens of megabytes of dropped ones wait for its next collection, and the C library then
// keeps their pages (docs/decisions/0027).
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface Collector {
  (options: { readonly type: 'minor' }): void
}

let collector: Collector | undefined

/** Collects what was allocated lately; about a millisecond. */
export function collectYoung(): void {
  collector ??= exposedCollector()
  collector({ type: 'minor' })
}

/** A context that is made after the flag has it; ours has not, and stays as it was. */
function exposedCollector(): Collector {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof found !== 'function') throw new Error('V8 has no garbage collector to call.')
  return found as Collector
}
