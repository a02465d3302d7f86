// An event is a visit: requests of one visitor to one token within 10 s are one.
import type { TokenVisit } from './entry.ts'

export interface Visits {
  /** Begins a batch: what it marks counts only once `commit` says that it is stored. */
  batch(): { repeated(visit: TokenVisit): boolean; commit(): void }
}

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
        repeated({ tokenId, visit, receivedAt }) {
          const key = `${tokenId}|${visit.srcHost}|${visit.headers['User-Agent'] ?? ''}`
          const before = fresh.get(key) ?? seen.get(key)
          if (before !== undefined && receivedAt - before < VISIT_MS && receivedAt >= before) return true
          fresh.set(key, receivedAt)
          return false
        },
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
