// Redis's glob patterns: `*`, `?`, `[a-z]`, `[^x]`, and `\` to escape a character.

/** Whether the pattern matches the whole text; takes at most pattern × text steps. */
export function globMatches(pattern: string, text: string, ignoreCase = false): boolean {
  const p = parse(ignoreCase ? pattern.toLowerCase() : pattern)
  const t = ignoreCase ? text.toLowerCase() : text
  let i = 0
  let j = 0
  let star = -1
  let resumeAt = 0
  while (j < t.length) {
    const part = p[i]
    if (part === '*') {
      star = i
      resumeAt = j
      i += 1
    } else if (part?.(t[j]!)) {
      i += 1
      j += 1
    } else if (star >= 0) {
      i = star + 1
      resumeAt += 1
      j = resumeAt
    } else return false
  }
  while (p[i] === '*') i += 1
  return i === p.length
}

type Part = '*' | ((c: string) => boolean)

function parse(pattern: string): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const c = pattern[at]!
    if (c === '*') {
      if (parts.at(-1) !== '*') parts.push('*')
    } else if (c === '?') parts.push(() => true)
    else if (c === '[') {
      const set = readSet(pattern, at + 1)
      parts.push(set.matches)
      at = set.end
    } else {
      const literal = c === '\\' && at + 1 < pattern.length ? pattern[(at += 1)]! : c
      parts.push((other) => other === literal)
    }
  }
  return parts
}

function readSet(pattern: string, from: number): { matches: (c: string) => boolean; end: number } {
  const isNot = pattern[from] === '^'
  const ranges: [string, string][] = []
  let at = isNot ? from + 1 : from
  for (; at < pattern.length && pattern[at] !== ']'; at += 1) {
    if (pattern[at] === '\\' && at + 1 < pattern.length) at += 1
    const low = pattern[at]!
    if (pattern[at + 1] === '-' && at + 2 < pattern.length) {
      at += 2
      const high = pattern[at]!
      ranges.push(low < high ? [low, high] : [high, low])
    } else ranges.push([low, low])
  }
  return { matches: (c) => ranges.some(([low, high]) => c >= low && c <= high) !== isNot, end: at }
}
