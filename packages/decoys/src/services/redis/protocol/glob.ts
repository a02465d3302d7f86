// Redis's glob patterns: `*`, `?`, `[a-z]`, `[^x]`, and `\` to escape a character. Texts are latin1, one character a byte.
import type { LineWork } from '../../../session/line-work.ts'

export type Glob = (text: string) => boolean

type Spend = LineWork['spend']

/** Parts of a pattern: a character's code, or one of these, or from `FIRST_SET` on the place of a set. */
const ANY = 256
const STAR = 257
const FIRST_SET = 258
const CHARACTERS = 256

const SET_WORK = 32
const CHARACTERS_A_UNIT = 8
/** Steps of a match that are paid at a time. */
const PORTION = 1_024

/** Reads a pattern once, for many texts. Each of them takes at most pattern × text steps, which are paid as they are taken. */
export function globOf(pattern: string, spend: Spend, ignoreCase = false): Glob {
  spend(1 + pattern.length / CHARACTERS_A_UNIT)
  if (pattern === '*') return () => (spend(1), true)
  const { parts, sets } = parse(ignoreCase ? pattern.toLowerCase() : pattern, spend)
  return (text) => matches(parts, sets, ignoreCase ? text.toLowerCase() : text, spend)
}

type CharacterSet = (code: number) => boolean

function matches(
  parts: readonly number[],
  sets: readonly CharacterSet[],
  text: string,
  spend: Spend,
): boolean {
  let [part, place, star, resumeAt, steps] = [0, 0, -1, 0, 0]
  while (place < text.length) {
    if ((steps += 1) === PORTION) {
      spend(PORTION / CHARACTERS_A_UNIT)
      steps = 0
    }
    const wanted = parts[part]
    const code = text.charCodeAt(place)
    if (wanted === STAR) {
      star = part
      resumeAt = place
      part += 1
      if (part === parts.length) return true
    } else if (
      wanted === code ||
      wanted === ANY ||
      (wanted !== undefined && sets[wanted - FIRST_SET]?.(code))
    ) {
      part += 1
      place += 1
    } else if (star >= 0) {
      part = star + 1
      resumeAt += 1
      place = resumeAt
    } else break
  }
  spend(1 + steps / CHARACTERS_A_UNIT)
  if (place < text.length) return false
  while (parts[part] === STAR) part += 1
  return part === parts.length
}

function parse(pattern: string, spend: Spend) {
  const parts: number[] = []
  const sets: CharacterSet[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const c = pattern[at]!
    if (c === '*') {
      if (parts.at(-1) !== STAR) parts.push(STAR)
    } else if (c === '?') parts.push(ANY)
    else if (c === '[') {
      spend(SET_WORK)
      const set = readSet(pattern, at + 1)
      parts.push(FIRST_SET + sets.length)
      sets.push(set.has)
      at = set.end
    } else parts.push((c === '\\' && at + 1 < pattern.length ? pattern[(at += 1)]! : c).charCodeAt(0))
  }
  return { parts, sets }
}

function readSet(pattern: string, from: number): { has: CharacterSet; end: number } {
  const isNot = pattern[from] === '^'
  const codes = new Uint8Array(CHARACTERS)
  let at = isNot ? from + 1 : from
  for (; at < pattern.length && pattern[at] !== ']'; at += 1) {
    if (pattern[at] === '\\' && at + 1 < pattern.length) at += 1
    const first = pattern.charCodeAt(at)
    const isRange = pattern[at + 1] === '-' && at + 2 < pattern.length
    const last = isRange ? pattern.charCodeAt((at += 2)) : first
    codes.fill(1, Math.min(first, last), Math.max(first, last) + 1)
  }
  return { has: (code) => (codes[code] === 1) !== isNot, end: at }
}
