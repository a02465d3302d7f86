import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { atLeast, atMost, exactly, number, percentile } from './case.ts'
import { report } from './report.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  mkdirSync(folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (id: string, run: string) =>
  writeFileSync(
    join(folder, `${id}.ts`),
    `export default { id: '${id}', title: 'Title of ${id}', run: async () => (${run}) }\n`,
  )

const kept = JSON.stringify({ rows: [atLeast('hits', 12_345.6, '/s', 8000, 30_000)], ok: true })

async function printed(...args: string[]) {
  const lines: string[] = []
  const code = await report(folder, args, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

it('a kept promise is in the table next to its limit, with the machine below', async () => {
  put('B1', kept)
  const { code, text } = await printed()
  expect(text).toContain('| B1 | hits | 12,346/s | 30,000/s  | ≥ 8,000/s | kept |')
  expect(text).toMatch(/Machine: .+ cores, .+ Node v24\..+ kernel /)
  expect(text).toMatch(/All 1 kept\.$/)
  expect(code).toBe(0)
})

it('a broken promise, a wrong result and a crash each fail the run, and the others still run', async () => {
  put('B1', JSON.stringify({ rows: [atMost('p99', 51.23, 'ms', 50)], ok: true }))
  put('B2', JSON.stringify({ rows: [], ok: false }))
  put('B3', "(() => { throw new Error('port in use') })()")
  put('B10', kept)
  const { code, text } = await printed()
  expect(text).toContain('51.2 ms')
  expect(text).toContain('its own correctness check failed')
  expect(text).toContain('port in use')
  expect(text).toMatch(/Broken: B1, B2, B3\.$/)
  expect(code).toBe(1)
})

it('a time or a rate that is missed by less than a third, as by the bare implementation next to it, is noise', async () => {
  const times = [atMost('p99', 65, 'ms', 50, 56), atLeast('hits', 700, '/s', 1_000, 990)]
  put('B1', JSON.stringify({ rows: times, ok: true }))
  const { code, text } = await printed()
  expect(text).toContain('| B1 | p99  | 65 ms    | 56 ms     | ≤ 50 ms   | noise |')
  expect(text).toMatch(/All 1 kept; 2 figures are noise\.$/)
  expect(code).toBe(0)
})

it.each([
  ['missed by more', atMost('p99', 67, 'ms', 50, 56)],
  ['kept by the bare implementation', atMost('p99', 65, 'ms', 50, 49)],
  ['without a bare implementation', atMost('p99', 65, 'ms', 50)],
  ['a share', atLeast('share', 24, '%', 25, 24)],
  ['memory', atMost('memory', 65, 'MB', 64, 65)],
])('what is %s is broken', async (_, row) => {
  put('B1', JSON.stringify({ rows: [row], ok: true }))
  expect(await printed()).toMatchObject({ code: 1, text: expect.stringContaining('BROKEN') as string })
})

it('only the named cases run; an unknown name is answered with the known ones', async () => {
  put('B1', kept)
  put('B2', "(() => { throw new Error('not asked for') })()")
  expect((await printed('b1')).code).toBe(0)
  await expect(printed('B7')).rejects.toThrow('There is no case "B7"; there are B1, B2.')
  await expect(printed('--jsn')).rejects.toThrow('There is no option --jsn; there is --json.')
})

it('--json prints one document and nothing else', async () => {
  put('G1', JSON.stringify({ rows: [exactly('lost', 0, '', 0)], ok: true, note: '1,000 kills' }))
  const { text } = await printed('--json')
  expect(JSON.parse(text)).toMatchObject({
    isKept: true,
    machine: { node: process.version },
    cases: [{ id: 'G1', isKept: true, result: { note: '1,000 kills' } }],
  })
})

it('a file that exports no case is named', async () => {
  writeFileSync(join(folder, 'B4.ts'), 'export const id = 1\n')
  await expect(printed()).rejects.toThrow(/B4\.ts exports no case/)
})

it('a percentile is a value that was measured', () => {
  const samples = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect([0, 0.5, 0.99, 1].map((share) => percentile(samples, share))).toEqual([1, 50, 99, 100])
  expect(percentile([], 0.5)).toBeNaN()
  expect([number(0.01234), number(999.6), number(1234.5), number(-5)]).toEqual([
    '0.0123',
    '1000',
    '1,235',
    '-5',
  ])
})
