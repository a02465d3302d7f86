// How long a process that ended by itself waits for its next start.

const FIRST_MS = 1_000
const MAX_MS = 60_000
/** A process that ran so long was well: it begins anew. */
const WELL_MS = 60_000

/** The pause, from the one before (0: none yet) and how long the process ran; milliseconds. */
export const restartDelay = (beforeMs: number, ranMs: number): number =>
  beforeMs === 0 || ranMs >= WELL_MS ? FIRST_MS : Math.min(2 * beforeMs, MAX_MS)
