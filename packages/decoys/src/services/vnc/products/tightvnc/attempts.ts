// Sources that have tried too many passwords: from the fifth on, TightVNC logs nobody in for a time that doubles with each more.
// There it holds for everybody; here for the source alone, so that nobody keeps others from the decoy.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { steadyTime } from '@rookery/kernel/steady-time.ts'

const THRESHOLD = 5
const FIRST_TIMEOUT_MS = 10_000
/** TightVNC counts milliseconds in 32 bits. */
const MAX_DOUBLINGS = 18

interface Entry {
  readonly count: number
  /** By steady time. */
  readonly blockedUntil: number
}

/** The one that tried longest ago is forgotten first. */
const SOURCES = limit('tightvnc_decoy_sources', 4_096)

export function attemptsBySource() {
  const tries = boundedMap<string, Entry>(SOURCES)
  const steady = steadyTime()
  return {
    isBlocked: (address: string, wallMs: number) => steady(wallMs) < (tries.peek(address)?.blockedUntil ?? 0),
    /** Notes a wrong password; whether the source is blocked from now on. */
    note(address: string, wallMs: number) {
      const count = (tries.peek(address)?.count ?? 0) + 1
      const isBlocked = count >= THRESHOLD
      const blockedMs = FIRST_TIMEOUT_MS * 2 ** Math.min(count - THRESHOLD, MAX_DOUBLINGS)
      tries.set(address, { count, blockedUntil: isBlocked ? steady(wallMs) + blockedMs : 0 })
      return isBlocked
    },
  }
}

export type Attempts = ReturnType<typeof attemptsBySource>
