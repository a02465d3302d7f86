// Patterns of Lua (reference manual 5.1, section 5.4.1).
import { LuaFault } from './values.ts'

/** What `()` captures is a position. */
export type Capture = string | number

export interface Match {
  readonly start: number
  /** Behind the last character. */
  readonly end: number
  readonly captures: readonly Capture[]
}

interface CharacterSet {
  /** Behind its bracket. */
  readonly end: number
  /** 1 for each code that is in it. */
  readonly codes: Uint8Array
}

interface Matcher {
  readonly text: string
  readonly pattern: string
  readonly spend: (work: number) => void
  /** By the place of the bracket in the pattern. */
  readonly sets: Map<number, CharacterSet>
  /** `length` of -1: it is open; -2: a position. */
  readonly captures: { start: number; length: number }[]
  depth: number
}

const OPEN = -1
const POSITION = -2
const MAX_DEPTH = 200
const MAX_CAPTURES = 32
/** Of a part of the pattern that is tried, and of a character that is repeated. */
const STEP_WORK = 0.5
const ONE_WORK = 0.5
const CHARACTERS_A_UNIT = 8
/** What is paid at a time. */
const PORTION = 1_024
const SET_WORK = 20
const CHARACTER_OF_SET_WORK = 1

/** The first match at `from` or behind it. */
export function findMatch(
  text: string,
  pattern: string,
  from: number,
  spend: (work: number) => void,
): Match | undefined {
  const isAnchored = pattern.startsWith('^')
  const sets = new Map<number, CharacterSet>()
  for (let start = from; start <= text.length; start += 1) {
    const matcher: Matcher = { text, pattern, spend, sets, captures: [], depth: 0 }
    const end = matchHere(matcher, start, isAnchored ? 1 : 0)
    if (end >= 0) return { start, end, captures: captured(matcher) }
    if (isAnchored) return undefined
  }
  return undefined
}

const captured = ({ captures, text }: Matcher): Capture[] =>
  captures.map(({ start, length }) => {
    if (length === OPEN) throw new LuaFault('unfinished capture')
    return length === POSITION ? start + 1 : text.slice(start, start + length)
  })

/** Where the match ends; -1: there is none. */
function matchHere(matcher: Matcher, from: number, at: number): number {
  const { text, pattern } = matcher
  matcher.spend(2)
  if ((matcher.depth += 1) > MAX_DEPTH) throw new LuaFault('pattern too complex')
  try {
    let place = from
    let p = at
    for (;;) {
      const c = pattern[p]
      matcher.spend(STEP_WORK)
      if (c === undefined) return place
      if (c === '(') return matchCapture(matcher, place, p)
      if (c === ')') return closeCapture(matcher, place, p)
      if (c === '$' && p + 1 === pattern.length) return place === text.length ? place : -1
      if (c === '%' && pattern[p + 1] === 'b') {
        place = matchBalance(matcher, place, p + 2)
        if (place < 0) return -1
        p += 4
        continue
      }
      if (c === '%' && pattern[p + 1] === 'f') {
        if (pattern[p + 2] !== '[') throw new LuaFault("missing '[' after '%f' in pattern")
        const { end, codes } = setAt(matcher, p + 2)
        if (!isFrontier(matcher, place, codes)) return -1
        p = end
        continue
      }
      if (c === '%' && /\d/.test(pattern[p + 1] ?? '')) {
        place = matchBack(matcher, place, Number(pattern[p + 1]))
        if (place < 0) return -1
        p += 2
        continue
      }
      const end = classEnd(matcher, p)
      const repeat = pattern[end]
      if (repeat === '*') return matchMost(matcher, place, p, end, 0)
      if (repeat === '+') return matchMost(matcher, place, p, end, 1)
      if (repeat === '-') return matchLeast(matcher, place, p, end)
      const isOne = matchesOne(matcher, place, p)
      if (repeat === '?') {
        const rest = isOne ? matchHere(matcher, place + 1, end + 1) : -1
        if (rest >= 0) return rest
        p = end + 1
        continue
      }
      if (!isOne) return -1
      place += 1
      p = end
    }
  } finally {
    matcher.depth -= 1
  }
}

function matchCapture(matcher: Matcher, place: number, p: number): number {
  const { captures, pattern } = matcher
  if (captures.length >= MAX_CAPTURES) throw new LuaFault('too many captures')
  const isPosition = pattern[p + 1] === ')'
  captures.push({ start: place, length: isPosition ? POSITION : OPEN })
  const end = matchHere(matcher, place, p + (isPosition ? 2 : 1))
  if (end < 0) captures.pop()
  return end
}

function closeCapture(matcher: Matcher, place: number, p: number): number {
  const capture = matcher.captures.findLast(({ length }) => length === OPEN)
  if (!capture) throw new LuaFault('invalid pattern capture')
  capture.length = place - capture.start
  const end = matchHere(matcher, place, p + 1)
  if (end < 0) capture.length = OPEN
  return end
}

function matchBalance({ text, pattern, spend }: Matcher, place: number, p: number): number {
  const [open, close] = [pattern[p], pattern[p + 1]]
  if (open === undefined || close === undefined) throw new LuaFault('unbalanced pattern')
  if (text[place] !== open) return -1
  let depth = 1
  spend(1)
  for (let at = place + 1; at < text.length; at += 1) {
    if (at % PORTION === 0) spend(PORTION / CHARACTERS_A_UNIT)
    if (text[at] === close) {
      if ((depth -= 1) === 0) return at + 1
    } else if (text[at] === open) depth += 1
  }
  return -1
}

function isFrontier({ text }: Matcher, place: number, codes: Uint8Array): boolean {
  const [before, here] = [text.charCodeAt(place - 1) || 0, text.charCodeAt(place) || 0]
  return codes[before] === 0 && codes[here] === 1
}

function matchBack({ text, captures, spend }: Matcher, place: number, index: number): number {
  const capture = captures[index - 1]
  if (!capture || capture.length === OPEN) throw new LuaFault('invalid capture index')
  spend(capture.length / CHARACTERS_A_UNIT)
  const wanted = text.slice(capture.start, capture.start + capture.length)
  return text.startsWith(wanted, place) ? place + wanted.length : -1
}

function matchMost(matcher: Matcher, from: number, p: number, end: number, least: number): number {
  let count = 0
  while (matchesOne(matcher, from + count, p)) {
    count += 1
    if (count % PORTION === 0) matcher.spend(PORTION * ONE_WORK)
  }
  matcher.spend((count % PORTION) * ONE_WORK)
  for (; count >= least; count -= 1) {
    const rest = matchHere(matcher, from + count, end + 1)
    if (rest >= 0) return rest
  }
  return -1
}

function matchLeast(matcher: Matcher, from: number, p: number, end: number): number {
  for (let place = from; ; place += 1) {
    const rest = matchHere(matcher, place, end + 1)
    if (rest >= 0) return rest
    if (!matchesOne(matcher, place, p)) return -1
  }
}

/** Behind the single character class that begins at `p`. */
function classEnd(matcher: Matcher, p: number): number {
  const { pattern } = matcher
  if (pattern[p] === '%') {
    if (p + 1 >= pattern.length) throw new LuaFault("malformed pattern (ends with '%')")
    return p + 2
  }
  return pattern[p] === '[' ? setAt(matcher, p).end : p + 1
}

/** Read once: a long set must not be read again for each character of the text. */
function setAt({ pattern, spend, sets }: Matcher, p: number): CharacterSet {
  const known = sets.get(p)
  if (known) return known
  let at = pattern[p + 1] === '^' ? p + 2 : p + 1
  do {
    if (at >= pattern.length) {
      spend(pattern.length - p)
      throw new LuaFault("malformed pattern (missing ']')")
    }
    at += pattern[at] === '%' ? 2 : 1
  } while (pattern[at] !== ']')
  const end = at + 1
  spend(SET_WORK + (end - p) * CHARACTER_OF_SET_WORK)
  const set = { end, codes: codesOf(pattern.slice(p, end)) }
  sets.set(p, set)
  return set
}

function matchesOne(matcher: Matcher, place: number, p: number): boolean {
  const { text, pattern } = matcher
  const c = text[place]
  if (c === undefined) return false
  switch (pattern[p]) {
    case '.':
      return true
    case '%':
      return isInClass(pattern[p + 1]!, c)
    case '[':
      return setAt(matcher, p).codes[c.charCodeAt(0)] === 1
    default:
      return pattern[p] === c
  }
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  c: /[\x00-\x1f\x7f]/,
  d: /\d/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[ \t-\r]/,
  u: /[A-Z]/,
  w: /[A-Za-z\d]/,
  x: /[\dA-Fa-f]/,
  z: /\0/,
}

function isInClass(letter: string, c: string): boolean {
  const pattern = CLASSES[letter.toLowerCase()]
  if (!pattern) return letter === c
  return pattern.test(c) === (letter === letter.toLowerCase())
}

const CHARACTERS = 256

/** `set` with its brackets. */
function codesOf(set: string): Uint8Array {
  const isNot = set[1] === '^'
  const codes = new Uint8Array(CHARACTERS)
  const add = (from: number, to: number): void => void codes.fill(1, from, to + 1)
  const classes = new Set<string>()
  for (let at = isNot ? 2 : 1; at < set.length - 1; at += 1) {
    if (set[at] === '%') classes.add(set[(at += 1)]!)
    else if (set[at + 1] === '-' && at + 2 < set.length - 1) {
      add(set.charCodeAt(at), set.charCodeAt(at + 2))
      at += 2
    } else add(set.charCodeAt(at), set.charCodeAt(at))
  }
  for (const letter of classes)
    for (let code = 0; code < CHARACTERS; code += 1)
      if (isInClass(letter, String.fromCharCode(code))) add(code, code)
  return isNot ? codes.map((one) => 1 - one) : codes
}
