// A process that saves memory as a Bird does, with a function that V8 would optimize: it says whether V8 has, after a moment
// of work and once V8 has while the work goes on.
import { runInThisContext } from 'node:vm'
import { saveBirdsMemory } from '../src/memory-saver.ts'

/** `OptimizationStatus::kTurboFanned` of V8's runtime.h. */
const TURBOFANNED = 1 << 6
const CALLS = 100_000

const statusOf = runInThisContext('(it) => %GetOptimizationStatus(it)') as (it: unknown) => number
const isOptimized = (): boolean => (statusOf(hot) & TURBOFANNED) !== 0

function hot(seed: number): number {
  let sum = seed
  for (let i = 0; i < 20; i++) sum = (sum * 31 + i) % 65_537
  return sum
}

/** Synchronous: meanwhile no timer can find out that the process is busy. */
function work(): void {
  for (let call = 0, value = 1; call < CALLS; call++) value = hot(value)
}

function workOn(): void {
  work()
  if (isOptimized()) process.send?.({ isOptimized: true }, () => process.exit())
  else setImmediate(workOn)
}

saveBirdsMemory()
work()
process.send?.({ isOptimized: isOptimized() }, workOn)
