// V8's memory saver (docs/decisions/0027): garbage is collected early, and its pages go back to the system at once. Under
// full load it costs more than a quarter of the speed, and holds visitors up for milliseconds. Birds do without V8's
// optimizing compiler, too, while they have little to do.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { declaredLimits } from '@rookery/kernel/limit.ts'
import { returnFreedMemory } from './freed-memory.ts'

const EVERY_MS = 250
/** The share of its time that the event loop works, at the least. */
const BUSY = 0.7
/** Work comes in bursts: between two of them the saver stays off. */
const CALM_MS = 5_000

/**
 * V8's memory saver while there is time for it, for a process that runs until it is stopped: what a burst of work has left behind
 * goes back afterwards. `collect` frees what the program has dropped, before freed memory goes back.
 */
export function saveMemory(collect?: () => void): void {
  returnFreedMemory(collect)
  boundHeapUnderAttack()
  watch(loopMeter(BUSY), (busy) =>
    setFlagsFromString(busy ? '--no-memory-saver-mode' : '--memory-saver-mode'),
  )
}

/**
 * The same for a Bird, which calls it before it loads its decoys. Nothing is allocated in a Bird that is left in peace, so V8
 * would not collect: its heap takes 20 ms, the console's 340.
 */
export function saveBirdsMemory(): void {
  optimizeUnderLoad()
  saveMemory(() => void globalThis.gc?.())
}

/** What makes work a load: so much of the event loop's time for so long. Starts and single visitors take less. */
const LOAD = 0.35
const LOAD_MS = 2_000

/** V8's optimizing compiler takes 5 MB from its first function on. Its battery saver does without; what is optimized stays so. */
function optimizeUnderLoad(): void {
  watch(
    loopMeter(LOAD),
    (loaded) => setFlagsFromString(loaded ? '--no-battery-saver-mode' : '--battery-saver-mode'),
    LOAD_MS,
  )
}

/** Answers whether the event loop has worked for that share of the time since it was asked before. */
function loopMeter(share: number): () => boolean {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization >= share
  }
}

/** By how much the heap may grow until its next collection while limits are met. V8's own choice is three times as much. */
const GROWTH_PERCENT = 30

/**
 * What is refused becomes garbage at the rate of who sends it: a heap that trebles between two collections took 115 MB for
 * strangers' handshakes. Collecting earlier costs a twelfth of the speed, so it is done while some limit is met.
 */
function boundHeapUnderAttack(): void {
  const allHits = (): number => declaredLimits().reduce((sum, { hits }) => sum + hits(), 0)
  let last = allHits()
  const isAttacked = (): boolean => {
    const before = last
    last = allHits()
    return last > before
  }
  watch(isAttacked, (attacked) =>
    setFlagsFromString(`--heap-growing-percent=${attacked ? GROWTH_PERCENT : 0}`),
  )
}

/** Says that it is not so, asks again and again, and says when it begins to be so, and once it has not been for a while. */
function watch(ask: () => boolean, onChange: (isOn: boolean) => void, everyMs = EVERY_MS): void {
  let isOn = false
  let calmMs = CALM_MS
  onChange(isOn)
  setInterval(() => {
    calmMs = ask() ? 0 : calmMs + everyMs
    if (calmMs < CALM_MS === isOn) return
    isOn = !isOn
    onChange(isOn)
  }, everyMs).unref()
}
