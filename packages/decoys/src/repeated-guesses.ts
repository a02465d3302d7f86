// Recognises a login attempt that a tool repeats because our close cut off the answer to it. The tool saw a lost connection
// and sends the same credentials on its next one. That is one guess: only its first attempt raises an event.
import { createHash } from 'node:crypto'

export interface RepeatedGuesses {
  /** Remembers credentials that were answered by a close. */
  remember(source: string, guess: readonly string[], now: number): void
  /** Whether these credentials are such a repeat. Forgets them: the next attempt counts again. */
  consumeRepeat(source: string, guess: readonly string[], now: number): boolean
}

const REMEMBERED_MS = 60_000
const MAX_REMEMBERED = 2_000

/** Belongs to one listener and lives as long as its settings. */
export function repeatedGuesses(): RepeatedGuesses {
  const rememberedAt = new Map<string, number>()
  // Hashed, because credentials may be as long as a packet.
  const keyOf = (source: string, guess: readonly string[]): string =>
    createHash('sha256')
      .update(JSON.stringify([source, ...guess]))
      .digest('base64')

  return {
    remember(source, guess, now) {
      if (rememberedAt.size >= MAX_REMEMBERED) rememberedAt.delete(rememberedAt.keys().next().value ?? '')
      rememberedAt.set(keyOf(source, guess), now)
    },
    consumeRepeat(source, guess, now) {
      if (rememberedAt.size === 0) return false
      const key = keyOf(source, guess)
      const at = rememberedAt.get(key)
      rememberedAt.delete(key)
      return at !== undefined && now - at <= REMEMBERED_MS
    },
  }
}
