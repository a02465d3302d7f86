// Names that a search pattern stands for, as Samba reads it: `*`, `?`, and the wildcards of MS-DOS as `<`, `>` and `"`.
import { isShortName, shortName } from './mangle.ts'

/** As of the longest name. What is longer would only take long. */
const MAX_PATTERN = 255
const WILD = /[*?<>"]/

/** A name matches as it is, or by its name of 8.3. */
export function namePattern(pattern: string): (name: string) => boolean {
  const wanted = pattern.toUpperCase().replace(/\*{2,}/g, '*')
  if (!WILD.test(pattern)) return (name) => pattern !== '.' && name.toUpperCase() === wanted
  if (wanted.length > MAX_PATTERN) return () => false
  const match = matcher(wanted)
  return (name) => {
    const own = name === '..' ? '.' : name.toUpperCase()
    return match(own) || (!isShortName(name) && match(shortName(name)))
  }
}

/** Nothing is left of the name: only these wildcards may be left of the pattern. */
const isNothing = (pattern: string, from: number): boolean =>
  /^[*<"?>]*$/.test(pattern.slice(from)) && !pattern.slice(from).includes('?')

/** Remembers where it failed, so that a pattern of many stars costs no more than its length times the name's. */
function matcher(pattern: string): (name: string) => boolean {
  return (name) => {
    const dot = name.lastIndexOf('.')
    const failed = new Set<number>()
    const match = (p: number, n: number): boolean => {
      const key = p * (name.length + 1) + n
      if (failed.has(key)) return false
      const isMatch = step(p, n)
      if (!isMatch) failed.add(key)
      return isMatch
    }
    const step = (p: number, n: number): boolean => {
      const isEnd = n >= name.length
      switch (pattern[p]) {
        case undefined:
          return isEnd
        case '*':
          for (let at = n; at < name.length; at += 1) if (match(p + 1, at)) return true
          return isNothing(pattern, p + 1)
        case '<':
          for (let at = n; at < name.length; at += 1) {
            if (match(p + 1, at)) return true
            if (at === dot) return match(p + 1, at + 1)
          }
          return isNothing(pattern, p + 1)
        case '?':
          return !isEnd && match(p + 1, n + 1)
        case '>':
          if (name[n] === '.') return (n + 1 === name.length && isNothing(pattern, p + 1)) || match(p + 1, n)
          return isEnd ? isNothing(pattern, p + 1) : match(p + 1, n + 1)
        case '"':
          if (isEnd) return isNothing(pattern, p + 1)
          return name[n] === '.' && match(p + 1, n + 1)
        default:
          return !isEnd && pattern[p] === name[n] && match(p + 1, n + 1)
      }
    }
    return match(0, 0)
  }
}
