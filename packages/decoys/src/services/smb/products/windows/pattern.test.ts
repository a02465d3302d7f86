import { expect, it } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { namePattern } from './pattern.ts'

it.each([
  ['*', 'Any.name', true],
  ['*.txt', 'NOTES.TXT', true],
  ['*.txt', 'notes.txt.bak', false],
  ['b?dget*', 'Budget 2026.xlsx', true],
  ['<.xlsx', 'Budget.2026.xlsx', true],
  ['no>>>>.txt', 'notes.txt', true],
  ['readme"', 'readme', true],
  ['a*b*c', 'a-b-b-d', false],
  ['a*b*c', 'a-b-b-c', true],
  ['', 'x', true],
])('[MS-FSA] 2.1.4.4: the pattern %j and the name %j: %j', (pattern, name, expected) => {
  expect(namePattern(pattern)?.(name)).toBe(expected)
})

it('a pattern of stars takes no time', () => {
  const matches = namePattern('*a'.repeat(120))!
  const elapsedMs = processorTimer()
  for (let i = 0; i < 1_000; i += 1) matches('a'.repeat(100) + 'b')
  expect(elapsedMs()).toBeLessThan(2_000)
})

it('[MS-FSA] 2.1.5.6.3: a pattern that no name can match is none', () => {
  expect(namePattern('a\\b')).toBeUndefined()
  expect(namePattern('x'.repeat(300))?.('x'.repeat(300))).toBe(false)
})
