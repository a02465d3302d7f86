// When a document of ours was written.
import type { Draws } from '../draws.ts'

/** 2024-01-01 to 2026-06-30. */
const FIRST_DAY = Date.UTC(2024, 0, 1)
const DAYS = 911
const DAY_MS = 86_400_000

/** A moment in the office hours of a past day, as XML Schema writes it. */
export function pastMoment(draws: Draws): string {
  const ms = FIRST_DAY + draws.integer(0, DAYS - 1) * DAY_MS + draws.integer(7 * 3_600, 16 * 3_600) * 1_000
  return new Date(ms).toISOString().replace('.000', '')
}
