// Names that a user may have meant.

const MAX_SUGGESTIONS = 5

/** The known names most similar to `name`, the most similar first; none when none is similar. */
export function suggest(name: string, known: readonly string[]): string[] {
  const typed = name.toLowerCase()
  return [...new Set(known)]
    .map((it) => ({ it, distance: it.includes(typed) && typed.length > 2 ? 0 : levenshtein(typed, it) }))
    .filter(({ it, distance }) => distance <= Math.max(2, Math.min(typed.length, it.length) / 3))
    .sort((a, b) => a.distance - b.distance || a.it.length - b.it.length || (a.it < b.it ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ it }) => it)
}

/** How many letters must be inserted, deleted or replaced to make `b` of `a`. */
function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= Math.min(a.length, 200); i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
