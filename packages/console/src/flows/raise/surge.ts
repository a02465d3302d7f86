// Counts new incidents of one node and logtype by the minute: past the bound, the rest go into one `many sources`.

export interface Surge {
  /** Counts one more; true while the minute's bound is not passed. */
  admits(key: string, atMs: number): boolean
  /** Whether `more` of this key might pass the bound now. */
  mayPass(key: string, more: number): boolean
}

const PER_MINUTE = 200
const MINUTE_MS = 60_000
const MOST_KEYS = 50_000

export function openSurge(perMinute = PER_MINUTE): Surge {
  let minute = 0
  const counts = new Map<string, number>()
  return {
    admits(key, atMs) {
      const now = Math.floor(atMs / MINUTE_MS)
      if (now !== minute || counts.size > MOST_KEYS) {
        minute = now
        counts.clear()
      }
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count <= perMinute
    },
    mayPass: (key, more) => (counts.get(key) ?? 0) + more > perMinute,
  }
}
