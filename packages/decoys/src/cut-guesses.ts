// A guess that our own close cut off comes again: the intruder's tool saw a lost connection instead of an answer, and
// repeats it on the next one. It is one guess, raised with its first coming; the repeat raises nothing.
import { createHash } from 'node:crypto'

export interface CutGuesses {
  /** Remembers a guess whose answer was a close. */
  cut(source: string, guess: readonly string[], now: number): void
  /** Whether this is such a guess coming again; it is then forgotten. */
  isRepeat(source: string, guess: readonly string[], now: number): boolean
}

const REMEMBERED_MS = 60_000
const MOST = 2_000

/** One memory for each listener; it lives as long as its settings. */
export function openCutGuesses(): CutGuesses {
  const waiting = new Map<string, number>()
  // Hashed: a guess may be as long as a packet.
  const keyOf = (source: string, guess: readonly string[]): string =>
    createHash('sha256')
      .update(JSON.stringify([source, ...guess]))
      .digest('base64')

  return {
    cut(source, guess, now) {
      if (waiting.size >= MOST) waiting.delete(waiting.keys().next().value ?? '')
      waiting.set(keyOf(source, guess), now)
    },
    isRepeat(source, guess, now) {
      if (waiting.size === 0) return false
      const key = keyOf(source, guess)
      const at = waiting.get(key)
      waiting.delete(key)
      return at !== undefined && now - at <= REMEMBERED_MS
    },
  }
}
