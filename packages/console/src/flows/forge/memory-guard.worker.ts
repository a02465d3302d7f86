// Ends its process when that takes too much memory, also while the main thread computes. A limit of V8's own does not count
// typed arrays, and those of libraries are most of what they take.
import { parentPort, workerData } from 'node:worker_threads'

/** Often enough for memory that grows by a megabyte a millisecond. */
const EVERY_MS = 5
const { maxBytes } = workerData as { readonly maxBytes: number }

setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGUSR2')
}, EVERY_MS)
parentPort?.postMessage('watching')
