// An event is a visit: requests of one visitor to one token within 10 s are one.
import type { TokenVisit } from './entry.ts'

export interface Visits {
  /** Begins a batch: what it marks counts only once `commit` says that it is stored. */
  batch(): VisitBatch
}

export interface VisitBatch {
  /** Whether the request is part of a visit that was marked. */
  isRepeated(visitor: string, at: number): boolean
  mark(visitor: string, at: number): void
  commit(): void
}

/** Who visits what: the same text for every request of one visitor to one token. */
export const visitorOf = ({ tokenId, visit }: Pick<TokenVisit, 'tokenId' | 'visit'>): string =>
  `${tokenId}|${visit.srcHost}|${visit.headers['User-Agent'] ?? ''}`

const VISIT_MS = 10_000
const MOST_VISITORS = 100_000

export function openVisits(): Visits {
  const seen = new Map<string, number>()

  function tidy(now: number): void {
    if (seen.size < MOST_VISITORS) return
    for (const [key, at] of seen) if (now - at >= VISIT_MS) seen.delete(key)
    if (seen.size >= MOST_VISITORS) seen.clear()
  }

  return {
    batch() {
      const fresh = new Map<string, number>()
      return {
        isRepeated(visitor, at) {
          const before = fresh.get(visitor) ?? seen.get(visitor)
          return before !== undefined && at - before < VISIT_MS && at >= before
        },
        mark: (visitor, at) => void fresh.set(visitor, at),
        commit() {
          for (const [key, at] of fresh) {
            tidy(at)
            seen.delete(key)
            seen.set(key, at)
          }
        },
      }
    },
  }
}
