// Which sources a decoy has reported in the last minute.
import { limit } from '@rookery/kernel/limit.ts'
import { expect, test } from 'vitest'
import { reportedSources } from './reported-sources.ts'

test('a source is known for a minute from its last report on, at that decoy alone', () => {
  const reported = reportedSources(limit('test_reported', 10))
  reported.add('ftp', '192.0.2.1', 1_000)
  reported.add('ftp', '192.0.2.1', 30_000)
  expect(reported.has('ftp', '192.0.2.1', 89_999)).toBe(true)
  expect(reported.has('ftp', '192.0.2.1', 90_000)).toBe(false)
  expect(reported.has('ssh', '192.0.2.1', 30_001)).toBe(false)
  expect(reported.has('ftp', '192.0.2.2', 30_001)).toBe(false)
})

test('of too many, the one that was reported longest ago is forgotten', () => {
  const reported = reportedSources(limit('test_reported_few', 2))
  for (const source of ['a', 'b', 'a', 'c']) reported.add('ftp', source, 0)
  expect(['a', 'b', 'c'].map((source) => reported.has('ftp', source, 0))).toEqual([true, false, true])
})
