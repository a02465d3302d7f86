// How long something took, without what the machine was late: other programs had the processor, or the thread was busy.

/** A timer may come so much later on an idle machine. */
const GRAIN_MS = 1
const EVERY_MS = 5

/**
 * Milliseconds that the work took, less those by which timers of this thread came late meanwhile. For work that waits in
 * this thread alone, for its own timers.
 */
export async function ownTimeMs(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  let dueAt = since + EVERY_MS
  let lateMs = 0
  const look = (): void => {
    const now = performance.now()
    if (now - dueAt > GRAIN_MS) lateMs += now - dueAt
    dueAt = now + EVERY_MS
  }
  const timer = setInterval(look, EVERY_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
    look()
  }
  return performance.now() - since - lateMs
}
