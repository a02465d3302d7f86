// V8's memory saver (docs/decisions/0027): garbage is collected early, and its pages go back to the system at once. Under
// full load it costs more than a quarter of the speed.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { returnFreedMemory } from './freed-memory.ts'

const EVERY_MS = 250
/** The share of its time that the event loop works. */
const BUSY = 0.7
/** Work comes in bursts: between two of them the saver stays off. */
const CALM_MS = 5_000

/** For a process that runs until it is stopped. */
export function saveMemory(): void {
  setFlagsFromString('--memory-saver-mode')
  // Nothing is allocated in a Bird that is left in peace, so V8 would not collect. Its heap takes 20 ms.
  returnFreedMemory(() => void globalThis.gc?.())
}

/** The same while there is time for it: what a burst of work has left behind goes back afterwards. */
export function saveMemoryUnlessBusy(): void {
  returnFreedMemory()
  let last = performance.eventLoopUtilization()
  let isSaving = false
  let calmMs = 0
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const isBusy = performance.eventLoopUtilization(now, last).utilization >= BUSY
    last = now
    calmMs = isBusy ? 0 : calmMs + EVERY_MS
    if (isSaving ? !isBusy : calmMs < CALM_MS) return
    isSaving = !isSaving
    setFlagsFromString(isSaving ? '--memory-saver-mode' : '--no-memory-saver-mode')
  }, EVERY_MS).unref()
}
