import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineWork, TooMuchWork } from '../../../session/line-work.ts'
import { globOf } from './glob.ts'

/** The same rules, one character after the other, without a thought of how long it takes. */
function matchesSlowly(pattern: string, text: string): boolean {
  const [c, ...rest] = pattern
  if (c === undefined) return text === ''
  if (c === '*')
    return matchesSlowly(rest.join(''), text) || (text !== '' && matchesSlowly(pattern, text.slice(1)))
  if (text === '') return false
  const behind = (length: number): boolean => matchesSlowly(pattern.slice(length), text.slice(1))
  if (c === '?') return behind(1)
  if (c === '\\' && rest.length > 0) return rest[0] === text[0] && behind(2)
  if (c !== '[') return c === text[0] && behind(1)
  const [, not = '', inner = '', close = ''] = /^\[(\^?)((?:\\.|[^\]\\]|\\$)*)(\]?)/s.exec(pattern)!
  const isIn = [...inner.matchAll(/(\\?.)(?:-(\\?.))?/gs)].some(([, low = '', high = low]) => {
    const [from, to] = [low, high].map((one) => one.at(-1)!).sort()
    return from! <= text[0]! && text[0]! <= to!
  })
  return isIn === (not === '') && behind(1 + not.length + inner.length + close.length)
}

const free = lineWork(Infinity).spend

test('a pattern matches what the rules say', () => {
  const pattern = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '*', '?', '[a-b]', '[^a]', '[b', '\\*', ']', '^'),
    maxLength: 8,
  })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '*', ']', '^'), maxLength: 8 })
  fc.assert(
    fc.property(pattern, text, (p, t) => {
      expect(globOf(p, free)(t)).toBe(matchesSlowly(p, t))
      expect(globOf(p, free, true)(t.toUpperCase())).toBe(matchesSlowly(p.toLowerCase(), t.toLowerCase()))
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['stars', (n: number) => 'a*'.repeat(n / 2) + 'b'],
  ['a star before a long text', (n: number) => `*${'a'.repeat(n)}b`],
  ['sets', (n: number) => `*${'[a-c]'.repeat(n / 5)}b`],
  ['one long set', (n: number) => `*[${'a-z'.repeat(n / 3)}]b`],
])('%s: what a pattern costs grows no faster than its bytes times those of the text', (_, patternOf) => {
  const costOf = (patternLength: number, textLength: number): number => {
    const work = lineWork(Infinity)
    expect(globOf(patternOf(patternLength), work.spend)('a'.repeat(textLength))).toBe(false)
    return work.spent
  }
  for (const [patternLength, textLength] of [
    [500, 2_000],
    [500, 4_000],
    [1_000, 4_000],
  ] as const) {
    const cost = costOf(patternLength, textLength)
    expect(cost).toBeGreaterThan(textLength / 8)
    expect(cost).toBeLessThan((1.1 * patternLength * textLength) / 8)
  }
})

test('a pattern that would take hours ends its line', () => {
  const glob = globOf(`*${'a'.repeat(400_000)}b`, lineWork().spend)
  expect(() => glob('a'.repeat(900_000))).toThrow(TooMuchWork)
})
