// docs/benchmarks.md: a row for each promise that was measured, from what `record.ts` keeps.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mark, shown, type Machine } from './report.ts'
import type { Row } from './case.ts'

/** One case as it was measured last. */
export interface Measurement {
  /** `2026-11-24` */
  readonly day: string
  readonly commit: string
  readonly machine: Machine
  readonly rows: readonly Row[]
  /** Size of the run, or why something was left out. */
  readonly note?: string
}

/** By the id of the case. */
export type Measurements = Readonly<Record<string, Measurement>>

/** Likely causes of figures that were missed, by the id of the case; written by people. */
export type Causes = Readonly<Record<string, string>>

/** Where a case lies: `{ id: 'B12', path: 'speed/search-a-million.ts' }`. */
export interface CaseFile {
  readonly id: string
  readonly path: string
}

/** All cases below `promises/`, by id (`B2` before `B10`), and the proof that counts. */
export const casesOf = (promises: string): CaseFile[] => [
  ...['speed', 'safety']
    .flatMap((folder) => readdirSync(join(promises, folder)).map((file) => `${folder}/${file}`))
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .map((path) => {
      const [, id = ''] = /^ {2}id: '(\w+)'/m.exec(readFileSync(join(promises, path), 'utf8')) ?? []
      return { id, path }
    })
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true })),
  { id: 'decoys', path: 'tools/decoys.ts' },
]

const PARTS = { Speed: 'speed/', Safety: 'safety/', 'Fresh probes': 'tools/' }

const HEAD = `# Measured: speed, memory, and what faults do

Made by \`promises/rig/record.ts\` from the last run of each case. A case measures its promise, and fails when it is
broken or when the work it measured was wrong. [promises/](../promises/README.md) says how to run one and how to record it.

The product runs as a user runs it, in a process of its own, on a real disk with its true fsync. The load comes from
another process and shares the machine's cores. A reference is a bare sketch, or the real server, in rounds that alternate
with ours; a figure is the median of its rounds. Figures in \`ms\` and \`/s\` hold for their machine; shares and ratios are
what carries over to another one. One of them that is missed by less than a third, while the reference misses the same
limit, is noise.`

const COLUMNS = ['promise', 'what', 'measured', 'reference', 'limit', '', 'run']

/** The page as Markdown; its tables are not aligned. */
export function pageOf(files: readonly CaseFile[], measurements: Measurements, causes: Causes): string {
  const measured = files.flatMap((file) => {
    const measurement = measurements[file.id]
    return measurement === undefined ? [] : [{ ...file, measurement }]
  })
  const runs = [...new Set(measured.map(({ measurement }) => runOf(measurement)))]
  const tableOf = (folder: string) => {
    const rows = measured
      .filter(({ path }) => path.startsWith(folder))
      .flatMap(({ id, path, measurement }) =>
        measurement.rows.map((row) => [
          `[${id}](../promises/${path})`,
          row.what,
          shown(row, row.measured),
          shown(row, row.reference),
          row.promise,
          mark(row),
          String(runs.indexOf(runOf(measurement)) + 1),
        ]),
      )
    return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  }
  const missed = measured.filter(({ measurement }) => measurement.rows.some((row) => mark(row) === 'BROKEN'))
  const unmeasured = files.filter(({ id }) => measurements[id] === undefined)
  return [
    HEAD,
    '## Missed',
    listOf([
      ...missed.map(({ id, measurement }) => `**${id}**: ${whatIsMissed(measurement)}. ${causes[id] ?? ''}`),
      ...Object.entries(causes)
        .filter(([id]) => !missed.some((it) => it.id === id))
        .map(([id, cause]) => `**${id}**: ${cause}`),
    ]),
    ...Object.entries(PARTS).flatMap(([title, folder]) => [`## ${title}`, tableOf(folder)]),
    unmeasured.length === 0 ? '' : `Without a recorded run: ${unmeasured.map(({ id }) => id).join(', ')}.`,
    '## Runs',
    runs.map((run, at) => `${at + 1}. ${run}`).join('\n'),
    listOf(
      measured.flatMap(({ id, measurement: { note } }) =>
        note === undefined ? [] : [`**${id}**: ${plain(note)}`],
      ),
    ),
  ].join('\n\n')
}

const runOf = ({ day, commit, machine: { cpu, cores, memoryGb, node, kernel } }: Measurement) =>
  `${day} at ${commit}: ${cpu}, ${cores} cores, ${memoryGb} GB; Node ${node}; kernel ${kernel}`

const whatIsMissed = ({ rows }: Measurement) =>
  rows
    .filter((row) => mark(row) === 'BROKEN')
    .map((row) => `${row.what} ${shown(row, row.measured)} (${row.promise})`)
    .join(', ')

const listOf = (lines: readonly string[]) =>
  lines.length === 0 ? 'Nothing.' : lines.map((line) => `- ${line.trim()}`).join('\n')

/** A note as one Markdown paragraph. */
const plain = (note: string): string => note.replace(/\s+/g, ' ').replace(/([*_<>`])/g, '\\$1')
