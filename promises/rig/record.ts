// Records what was measured, so that no figure of docs/benchmarks.md was typed by hand: measured.json, and the page made of it.
// Run: node promises/rig/record.ts bench.json gates.json decoys.txt (what `--json` printed, and what `proof -- decoys` did);
// only the cases in these files change.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from '../../tools/clone.mjs'
import { casesOf, pageOf, type Measurements } from './benchmarks-page.ts'
import { atLeast } from './case.ts'
import { code, machine, type Code, type Machine, type Measured } from './report.ts'

interface Run {
  readonly machine: Machine
  readonly code: Code
  readonly cases: readonly Measured[]
}

const DATA = join(root, 'promises/measured.json')
const CAUSES = join(root, 'promises/causes.json')
const PAGE = join(root, 'docs/benchmarks.md')

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T

/** What was measured before, with each case of the run in the place of its last one. */
export function withRun(before: Measurements, { machine, code, cases }: Run): Measurements {
  const failed = cases.find(({ result }) => result === undefined)
  if (failed) throw new Error(`${failed.id} ended with an error and has no figures: ${failed.error ?? ''}`)
  const measured = cases.map(({ id, result }) => {
    const note = result?.note === undefined ? {} : { note: result.note }
    return [id, { day: code.day, commit: code.commit, machine, rows: result?.rows ?? [], ...note }] as const
  })
  return { ...before, ...Object.fromEntries(measured) }
}

/** The rows of fresh probes that `npm run proof -- decoys` printed, in percent; undefined of another text. */
export function freshProbes(text: string): Measured['result'] {
  const goals = new Map(
    [...text.matchAll(/^\s*(.+): (\d+) of 100 are enough/gm)].map(([, name, goal]) => [name, Number(goal)]),
  )
  const rows = [...text.matchAll(/^\s*(.+): (\d+) of (\d+) equal; masked/gm)].map(
    ([, name = '', equal, total]) =>
      atLeast(
        `${name}: answered as by the real server`,
        (100 * Number(equal)) / Number(total),
        '%',
        goals.get(name) ?? 99,
      ),
  )
  const [note] = /seed \w+/.exec(text) ?? []
  return rows.length === 0 ? undefined : { rows, ok: true, ...(note && { note }) }
}

function readRun(path: string): Run {
  const text = readFileSync(path, 'utf8')
  const result = freshProbes(text)
  if (result === undefined) return JSON.parse(text) as Run
  const decoys = { id: 'decoys', title: 'fresh probes', seconds: 0, isKept: true, result }
  return { machine: machine(), code: code(), cases: [decoys] }
}

/** The page as the recorded figures make it. */
export async function benchmarksPage(measurements = read<Measurements>(DATA)): Promise<string> {
  const page = pageOf(casesOf(join(root, 'promises')), measurements, read(CAUSES))
  return format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}

if (import.meta.main) {
  const runs = process.argv.slice(2).map(readRun)
  const all = runs.reduce(withRun, read<Measurements>(DATA))
  writeFileSync(DATA, await format(JSON.stringify(all), { ...(await resolveConfig(DATA)), parser: 'json' }))
  writeFileSync(PAGE, await benchmarksPage(all))
}
