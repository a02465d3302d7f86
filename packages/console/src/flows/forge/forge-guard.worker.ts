// Ends its process when that takes too much memory or processor time, also while the main thread computes. A limit of V8's own
// does not count typed arrays, and those of libraries are most of what they take.
import { parentPort, workerData } from 'node:worker_threads'
import { usedMicroseconds, type ForgeBounds } from './forge-bounds.ts'

/** Often enough for memory that grows by a megabyte a millisecond. */
const EVERY_MS = 5
const { maxBytes, workEndsAt } = workerData as ForgeBounds

setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGUSR2')
  if (usedMicroseconds() > (workEndsAt[0] ?? Infinity)) process.kill(process.pid, 'SIGALRM')
}, EVERY_MS)
parentPort?.postMessage('watching')
