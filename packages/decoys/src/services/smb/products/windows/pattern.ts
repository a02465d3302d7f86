// Names that a search pattern stands for ([MS-FSA] 2.1.4.4): `*` and `?`, and the wildcards of MS-DOS as `<`, `>` and `"`.

/** In characters, as of the longest name; a longer pattern matches none. */
export const MAX_PATTERN = 255

/** Undefined when the pattern is none that a name could match. */
export function namePattern(pattern: string): ((name: string) => boolean) | undefined {
  if (pattern.length > MAX_PATTERN) return () => false
  if (/[\\/:|\x00-\x1f]/.test(pattern)) return undefined
  if (pattern === '' || pattern === '*') return () => true
  const wanted = pattern.toUpperCase().replace(/[*<]+/g, '*')
  return (name) => matches(wanted, name.toUpperCase())
}

/** Goes back to the last star only, which is enough for names. */
function matches(pattern: string, name: string): boolean {
  let [p, n] = [0, 0]
  let [starAt, starName] = [-1, 0]
  for (;;) {
    const isEnd = n === name.length
    if (pattern[p] === '*') {
      starAt = p
      starName = n
      p += 1
    } else if (!isEnd && isOne(pattern[p], name[n]!)) {
      p += 1
      n += 1
    } else if (isNothing(pattern[p], name[n])) p += 1
    else if (isEnd && p === pattern.length) return true
    else if (starAt >= 0 && starName < name.length) {
      starName += 1
      p = starAt + 1
      n = starName
    } else return false
  }
}

const isOne = (wanted: string | undefined, character: string): boolean =>
  wanted === '?' ||
  (wanted === '>' && character !== '.') ||
  (wanted === '"' && character === '.') ||
  wanted === character

/** `>` and `"` stand for nothing at the end of a name, and `>` before a dot. */
const isNothing = (wanted: string | undefined, character: string | undefined): boolean =>
  (wanted === '>' && (character === undefined || character === '.')) ||
  (wanted === '"' && character === undefined)
