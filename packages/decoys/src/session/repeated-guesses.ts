// Recognises a login attempt that a tool repeats because our close cut off the answer to it. The tool saw a lost connection
// and sends the same credentials on its next one. That is one guess: only its first attempt raises an event.
import { createHash } from 'node:crypto'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { steadyTime } from '@rookery/kernel/steady-time.ts'

const REMEMBERED_MS = 60_000
/** The one that was answered longest ago is forgotten first. */
const GUESSES = limit('repeated_guesses', 2_000)

/** Belongs to one listener and lives as long as its settings. */
export function repeatedGuesses() {
  const rememberedAt = boundedMap<string, number>(GUESSES)
  const steady = steadyTime()
  // Hashed, because credentials may be as long as a packet.
  const keyOf = (source: string, guess: readonly string[]): string =>
    createHash('sha256')
      .update(JSON.stringify([source, ...guess]))
      .digest('base64')

  return {
    /** Remembers credentials that were answered by a close. */
    remember(source: string, guess: readonly string[], wallMs: number) {
      rememberedAt.set(keyOf(source, guess), steady(wallMs))
    },
    /** Whether these credentials are such a repeat. Forgets them: the next attempt counts again. */
    consumeRepeat(source: string, guess: readonly string[], wallMs: number) {
      if (rememberedAt.size === 0) return false
      const key = keyOf(source, guess)
      const at = rememberedAt.peek(key)
      rememberedAt.delete(key)
      return at !== undefined && steady(wallMs) - at <= REMEMBERED_MS
    },
  }
}

export type RepeatedGuesses = ReturnType<typeof repeatedGuesses>
