// What G14 makes of a report of tests.
import { expect, it } from 'vitest'
import { readReport } from './every-test.ts'

const tests = (...statuses: readonly string[]) =>
  statuses.map((status, at) => ({ fullName: `test ${at}`, status }))

it('a test that fails is counted and named; one that is skipped is neither', () => {
  const assertionResults = tests('passed', 'failed', 'pending')
  const testResults = [{ name: 'a.test.ts', status: 'failed', assertionResults }]
  expect(readReport({ numPassedTests: 1, success: false, testResults })).toEqual({
    passed: 1,
    failed: 1,
    failures: ['test 1'],
  })
})

it('a file that does not load, and an error outside of any test, are failures', () => {
  const unloaded = [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }]
  expect(readReport({ numPassedTests: 0, success: false, testResults: unloaded }).failures).toEqual([
    'a.test.ts does not load',
  ])
  const good = [{ name: 'a.test.ts', status: 'passed', assertionResults: tests('passed') }]
  expect(readReport({ numPassedTests: 1, success: false, testResults: good }).failed).toBe(1)
  expect(readReport({ numPassedTests: 1, success: true, testResults: good }).failed).toBe(0)
})
