// Very many incidents are changed in chunks, a transaction each; what is touched meanwhile waits for one of them at most.
import type { EngineName } from '../../db/query.ts'

/**
 * How long a chunk should hold the writer, ms: shorter ones cost more commits, longer ones delay who is at a decoy now. On a
 * server, asking and answering take most of a short one, however few incidents are in it.
 */
const AIM_MS: Readonly<Record<EngineName, number>> = { sqlite: 14, postgres: 48 }
const FIRST = 100
const FEWEST = 50
const MOST = 1_000

export interface Chunks {
  /** The next numbers; none at the end. */
  next(): number[]
  /** The chunk's transaction has come to it. */
  begins(): void
  /** It is committed: resolves once whatever else has arrived is on its way into a transaction without a chunk. */
  ended(): Promise<void>
}

/** As many at once as this disk, under what else it does now, commits in good time. */
export function openChunks(
  numbers: Float64Array,
  engine: EngineName,
  now: () => number = () => performance.now(),
): Chunks {
  let at = 0
  let size = FIRST
  let startedAt = 0
  return {
    next() {
      const chunk = [...numbers.subarray(at, at + size)]
      at += chunk.length
      return chunk
    },
    begins: () => void (startedAt = now()),
    async ended() {
      const aimed = (size * AIM_MS[engine]) / Math.max(1, now() - startedAt)
      // One slow commit says little.
      size = Math.round(Math.min(MOST, size * 1.5, Math.max(FEWEST, size / 2, aimed)))
      // In the first turn all that waits is read, in the second the writer takes it, in the third it is on its way.
      for (let turns = 0; turns < 3; turns++) await turn()
    },
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
