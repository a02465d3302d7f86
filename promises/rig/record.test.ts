import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../tools/clone.mjs'
import { pageOf, type Measurements } from './benchmarks-page.ts'
import { atLeast, type Row } from './case.ts'
import { benchmarksPage, withRun } from './record.ts'

const machine = { cpu: 'a chip', cores: 2, memoryGb: 4, node: 'v24', kernel: '6' }
const run = (id: string, row: Row) => ({
  machine,
  code: { commit: 'abc1234', day: '2026-11-24' },
  cases: [
    { id, title: 'hits', seconds: 1, isKept: true, result: { ok: true, rows: [row], note: 'as *asked*' } },
  ],
})
const files = ['B1', 'B10'].map((id) => ({ id, path: `speed/${id}.ts` }))
const page = (measurements: Measurements, causes = {}) => pageOf(files, measurements, causes)

it('a run takes the place of the figures before it, and of no others', () => {
  const first = withRun(
    withRun({}, run('B10', atLeast('polls', 7, '/s', 5))),
    run('B1', atLeast('hits', 9_000, '/s', 8_000)),
  )
  expect(page(first)).toContain(
    '| [B1](../promises/speed/B1.ts) | hits | 9,000/s | – | ≥ 8,000/s | kept | 1 |',
  )
  expect(page(first)).toContain('as \\*asked\\*')
  expect(page(first)).toContain('1. 2026-11-24 at abc1234: a chip, 2 cores, 4 GB; Node v24; kernel 6')
  const second = page(withRun(first, run('B1', atLeast('hits', 7_000, '/s', 8_000))), { B1: 'A slow disk.' })
  expect(second).not.toContain('9,000')
  expect(second).toContain('- **B1**: hits 7,000/s (≥ 8,000/s). A slow disk.')
  expect(second).toContain('| polls | 7/s |')
})

it('a case that was never measured is named, and one that ended with an error is refused', () => {
  expect(page({})).toContain('Without a recorded run: B1, B10.')
  const failed = { id: 'B1', title: 'hits', seconds: 1, isKept: false, error: 'port in use' }
  expect(() => withRun({}, { ...run('B1', atLeast('hits', 1, '', 1)), cases: [failed] })).toThrow(
    /B1 ended with an error.*port in use/,
  )
})

it('docs/benchmarks.md is what the recorded figures make', async () => {
  expect(readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')).toBe(await benchmarksPage())
})
