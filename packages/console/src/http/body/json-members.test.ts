import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { MEMBERS } from '../request-limits.ts'
import { findTexts } from './json-members.ts'
import { scanJson } from './json-scan.ts'

const NAMES = ['factory_auth', 'auth_token']
const BYTES = 64 * 1024

/** Calls `work`; a body that is refused is fine. */
function orRefused(work: () => void): void {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
  }
}

/** How often JSON.parse is called by `work`, and how often it throws. */
function parses(work: () => void): { calls: number; throws: number } {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    orRefused(work)
    const throws = parse.mock.results.filter(({ type }) => type === 'throw').length
    return { calls: parse.mock.calls.length, throws }
  } finally {
    parse.mockRestore()
  }
}

const escaped = (name: string): string =>
  [...name].map((it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

const PIECES = [
  '"\\q"',
  '"\\q":1,',
  '"a"',
  '"\\u0061":1,',
  '"\\u006"',
  `"${escaped('auth_token')}":"\\q",`,
  '"auth_token":"\\ud800",',
  '"auth_token":',
  '":"',
  ':',
  ',',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '"',
  ' ',
  '{"a":1}',
]

it('64 KiB of any text take no exception, and no more decodes than an object may have members', () => {
  const text = fc
    .tuple(
      fc.constantFrom('{', '[', ''),
      fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }),
    )
    .map(([start, pieces]) => start + pieces.join('').repeat(Math.floor(BYTES / pieces.join('').length)))
  fc.assert(
    fc.property(text, (text) => {
      const bytes = Buffer.from(text)
      let members = 0
      orRefused(() => scanJson(bytes, () => members++))
      expect(members).toBeLessThanOrEqual(MEMBERS.max)
      const { calls, throws } = parses(() => findTexts(bytes, NAMES))
      expect(throws).toBe(0)
      expect(calls).toBeLessThanOrEqual(MEMBERS.max + NAMES.length)
    }),
    { numRuns: 200 },
  )
})

it('every value of valid JSON is counted, and an empty list or object as two at most', () => {
  const countOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Object.values(value).reduce<number>((sum, it) => sum + countOf(it), 0)
      : 1
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const counted = scanJson(Buffer.from(JSON.stringify(value)))
      expect(counted).toBeGreaterThanOrEqual(countOf(value) - 1)
      expect(counted).toBeLessThanOrEqual(2 * countOf(value))
    }),
  )
})

it('a text that nobody looks for is not decoded', () => {
  const long = `"${escaped('x'.repeat(100))}":1,`
  for (const unit of ['"\\q"', '"\\u0061",', '{"\\u0061":1},', long])
    expect(parses(() => findTexts(Buffer.from(`{"a":[${unit.repeat(500)}`), NAMES)).calls).toBe(0)
  expect(parses(() => findTexts(Buffer.from(`{${long.repeat(500)}`), NAMES)).calls).toBe(0)
})

it('finds a member as JSON.parse reads it, and of a name that comes twice the first', () => {
  const name = fc.constantFrom(...NAMES, 'other', 'auth_tokens')
  const spelt = name.chain((it) =>
    fc.constantFrom(it, escaped(it)).map((spelling) => [it, spelling] as const),
  )
  const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.jsonValue())
  const members = fc.array(fc.tuple(spelt, value, fc.constantFrom('', ' ', '\n\t')))
  fc.assert(
    fc.property(members, (members) => {
      const wanted = new Map<string, unknown>()
      for (const [[name], value] of members) if (!wanted.has(name)) wanted.set(name, value)
      const pairs = members.map(
        ([[, spelling], value, blank]) => `${blank}"${spelling}"${blank}:${blank}${JSON.stringify(value)}`,
      )
      const found = findTexts(Buffer.from(`{${pairs.join(',')}}`), NAMES)
      for (const name of NAMES) {
        const value = wanted.get(name)
        expect(found.get(name)).toBe(typeof value === 'string' ? value : undefined)
      }
    }),
  )
})

it('a value of 64 KiB of escapes is decoded whole', () => {
  const text = 'k"'.repeat(5_000)
  expect(findTexts(Buffer.from(`{"auth_token":"${escaped(text)}"`), NAMES).get('auth_token')).toBe(text)
})
