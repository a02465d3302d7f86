// Measures how late its timers are; answers every message with the worst since the one before.
import { setPriority } from 'node:os'

/** As the local Bird. */
const NICE = 10
/** The time in which a Bird groups its syncs. */
const SPAN_MS = 25

setPriority(NICE)
let worst = 0
let before = performance.now()
setInterval(() => {
  const now = performance.now()
  worst = Math.max(worst, now - before - SPAN_MS)
  before = now
}, SPAN_MS)
process.on('message', () => {
  process.send?.(Math.max(worst, performance.now() - before - SPAN_MS))
  worst = 0
})
process.on('disconnect', () => process.exit())
