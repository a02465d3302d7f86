// Which sources a decoy has reported in the last minute: one more connection of them that raises no event says nothing new.
import type { Limit } from '@rookery/kernel/limit.ts'

const WINDOW_MS = 60_000

export interface ReportedSources {
  add(instance: string, source: string, nowMs: number): void
  has(instance: string, source: string, nowMs: number): boolean
}

/** Of more sources than the limit allows, the one that was reported longest ago is forgotten. */
export function reportedSources(sources: Limit): ReportedSources {
  const reportedAt = new Map<string, number>()
  const keyOf = (instance: string, source: string): string => `${instance} ${source}`
  return {
    add(instance, source, nowMs) {
      const key = keyOf(instance, source)
      reportedAt.delete(key)
      reportedAt.set(key, nowMs)
      if (reportedAt.size <= sources.max) return
      sources.hit()
      reportedAt.delete(reportedAt.keys().next().value ?? '')
    },
    has: (instance, source, nowMs) =>
      nowMs - (reportedAt.get(keyOf(instance, source)) ?? -Infinity) < WINDOW_MS,
  }
}
