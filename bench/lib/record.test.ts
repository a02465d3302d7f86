import { expect, it } from 'vitest'
import { atLeast, type Row } from '../case.ts'
import { withRun } from './record.ts'

const machine = { cpu: 'a chip', cores: 2, memoryGb: 4, node: 'v24', kernel: '6' }
const run = (id: string, row: Row) => ({
  machine,
  code: { commit: 'abc1234', day: '2026-11-24' },
  cases: [
    { id, title: 'hits', seconds: 1, isKept: true, result: { ok: true, rows: [row], note: 'as *asked*' } },
  ],
})
const page = 'head\n<!-- B1 -->\nold\n<!-- /B1 -->\n<!-- B10 -->\nkept\n<!-- /B10 -->\ntail'

it('a run takes the place of the figures before it, and of no others', () => {
  const written = withRun(page, run('B1', atLeast('hits', 9_000, '/s', 8_000)))
  expect(written).toContain('| 9,000/s')
  expect(written).toContain('as \\*asked\\*')
  expect(written).toContain('a chip, 2 cores, 4 GB; Node v24; kernel 6. Measured 2026-11-24 at abc1234.')
  expect(written).not.toContain('old')
  expect(written).toContain('<!-- B10 -->\nkept\n<!-- /B10 -->\ntail')
  const again = withRun(written, run('B1', atLeast('hits', 7_000, '/s', 8_000)))
  expect(again).not.toContain('9,000')
  expect(again).toContain('BROKEN')
})

it('a case that the page does not know is an error that names it', () => {
  expect(() => withRun(page, run('B2', atLeast('hits', 1, '', 1)))).toThrow(/no place for B2/)
})
