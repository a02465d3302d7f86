// Which sources a decoy has reported in the last minute: one more connection of them that raises no event says nothing new.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import type { Limit } from '@rookery/kernel/limit.ts'

const WINDOW_MS = 60_000

/** Of more sources than the limit allows, the one that was reported longest ago is forgotten. */
export function reportedSources(sources: Limit) {
  const reportedAt = boundedMap<string, number>(sources)
  const keyOf = (instance: string, source: string): string => `${instance} ${source}`
  return {
    add: (instance: string, source: string, nowMs: number) => reportedAt.set(keyOf(instance, source), nowMs),
    has: (instance: string, source: string, nowMs: number) =>
      nowMs - (reportedAt.peek(keyOf(instance, source)) ?? -Infinity) < WINDOW_MS,
  }
}
