// A bulk action changes its incidents in chunks, one transaction each, so that a touch waits for one chunk at most.
import type { EngineName } from '../../db/query.ts'

/**
 * The time that a chunk should hold the writer, ms: shorter chunks cost more commits, longer ones delay touches. On PostgreSQL
 * the round trips take most of a short chunk.
 */
const AIM_MS: Readonly<Record<EngineName, number>> = { sqlite: 14, postgres: 48 }
const FIRST = 100
const FEWEST = 50
const MOST = 1_000

export interface Chunks {
  /** The next numbers; none at the end. */
  next(): number[]
  /** The chunk's transaction begins. */
  begins(): void
  /** The chunk is committed; resolves once the touches that wait are in a transaction of their own. */
  ended(): Promise<void>
}

/** Adapts the size of chunks to the speed of the disk. */
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
      // A single slow commit must not shrink the chunks to nothing.
      size = Math.round(Math.min(MOST, size * 1.5, Math.max(FEWEST, size / 2, aimed)))
      await letTouchesIn()
    },
  }
}

/** Resolves once the touches that wait are in a transaction of their own. */
export async function letTouchesIn(): Promise<void> {
  // First turn: sockets are read. Second: the writer takes the touches. Third: their transaction has begun.
  for (let turns = 0; turns < 3; turns++) await nextTurn()
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
