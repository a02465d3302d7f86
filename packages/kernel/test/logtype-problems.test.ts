import { expect, it } from 'vitest'
import { logtypeProblems } from './logtype-problems.ts'
import type { LogtypeDescriptor } from '../src/logtype.ts'

const complete: LogtypeDescriptor = {
  logtype: '2000',
  summary: 'FTP Login Attempt',
  slug: 'ftplogin',
  keys: ['USERNAME', 'PASSWORD'],
  level: 'tried',
  evidence: ['USERNAME'],
  meaning: 'Someone tried to log in.',
  next: ['Find the machine.', 'Ask its owner.'],
}

it('a complete descriptor has no problem', () => {
  expect(logtypeProblems(complete)).toEqual([])
})

it.each<[Partial<LogtypeDescriptor>, RegExp]>([
  [{ level: 'knocked' as 'tried' }, /level is one of the four/],
  [{ evidence: [] }, /has evidence/],
  [{ evidence: ['USER'] }, /every key of the evidence/],
  [{ evidence: ['USERNAME', 'USERNAME'] }, /twice/],
  [{ meaning: '' }, /begins with a capital/],
  [{ meaning: 'One. Two.' }, /one sentence/],
  [{ next: [] }, /one to three next steps/],
  [{ next: ['One.', 'Two.', 'Three.', 'Four.'] }, /one to three next steps/],
  [{ next: ['One. Two.'] }, /each step is one sentence/],
  [{ next: [`Look at ${'it '.repeat(30)}again.`] }, /over 25 words/],
])('%j is named as the problem', (change, problem) => {
  expect(logtypeProblems({ ...complete, ...change }).join('\n')).toMatch(problem)
})
