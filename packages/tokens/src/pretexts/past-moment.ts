// When a document of ours was written.
import type { Draws } from '../draws.ts'

const DAY_MS = 86_400_000

/** A moment in the office hours of a day from `first` to `last`, both included, as XML Schema writes it. */
export function pastMoment(draws: Draws, first = '2024-01-01', last = '2026-06-30'): string {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const days = Math.floor((to - from) / DAY_MS)
  const ms = from + draws.integer(0, days) * DAY_MS + draws.integer(7 * 3_600, 16 * 3_600) * 1_000
  return new Date(ms).toISOString().replace('.000', '')
}
