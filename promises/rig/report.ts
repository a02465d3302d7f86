// Finds the cases, runs the chosen ones one after the other and prints what came out. Shared by speed/ and safety/.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../tools/clone.mjs'
import { number, withUnit, type Case, type Result, type Row } from './case.ts'

export interface Measured {
  readonly id: string
  readonly title: string
  readonly seconds: number
  readonly isKept: boolean
  readonly result?: Result
  /** Why there is no result. */
  readonly error?: string
}

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly node: string
  readonly kernel: string
}

/** The code that a run measures, as it stands when the run begins. */
export interface Code {
  readonly commit: string
  /** `2026-11-24` */
  readonly day: string
}

export const code = (): Code => ({
  commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim(),
  day: new Date().toISOString().slice(0, 10),
})

/** What figures of this run must be read against. */
export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  kernel: release(),
})

/** Every case in a folder, by id (`B2` before `B10`). */
async function casesIn(folder: string): Promise<Case[]> {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const cases = await Promise.all(files.map((name) => caseIn(join(folder, name))))
  return cases.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
}

async function caseIn(path: string): Promise<Case> {
  const loaded = (await import(pathToFileURL(path).href)) as { default?: Case }
  if (typeof loaded.default?.id === 'string' && typeof loaded.default.run === 'function')
    return loaded.default
  throw new Error(`${path} exports no case: its default export must be { id, title, run }.`)
}

/** The cases with these ids (in any case), or all; an unknown id is an error that names the known ones. */
function chosen(cases: readonly Case[], ids: readonly string[]): readonly Case[] {
  if (ids.length === 0) return cases
  return ids.map((id) => {
    const found = cases.find((it) => it.id.toLowerCase() === id.toLowerCase())
    if (found) return found
    throw new Error(`There is no case "${id}"; there are ${cases.map((it) => it.id).join(', ') || 'none'}.`)
  })
}

/** Runs one case; whatever it throws breaks its promise and nothing else. */
async function measure(it: Case): Promise<Measured> {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10
  try {
    const result = await it.run()
    const isKept = result.ok && result.rows.every((row) => row.isKept || row.isNoise)
    return { id: it.id, title: it.title, seconds: seconds(), isKept, result }
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { id: it.id, title: it.title, seconds: seconds(), isKept: false, error: reason }
  }
}

const HEAD = ['id', 'what', 'measured', 'reference', 'promise', ''] as const

/** A Markdown table, so that it can stand in docs/benchmarks.md as it is. */
export function tableOf(all: readonly Measured[]): string {
  const lines = all.flatMap(({ id, result }) =>
    (result?.rows ?? []).map((row) => [
      id,
      row.what,
      shown(row, row.measured),
      shown(row, row.reference),
      row.promise,
      mark(row),
    ]),
  )
  const widths = HEAD.map((name, at) =>
    Math.max(name.length, ...lines.map((cells) => cells[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((it, at) => it.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(HEAD), line(widths.map((width) => '-'.repeat(width))), ...lines.map(line)].join('\n')
}

export const shown = ({ unit }: Row, value: number | undefined) =>
  value === undefined ? '–' : withUnit(number(value), unit)

export const mark = ({ isKept, isNoise }: Row) => (isKept ? 'kept' : isNoise ? 'noise' : 'BROKEN')

/** The whole command: `[ids…] [--json]`. Answers the exit code: 0 when no promise was broken, but by noise. */
export async function report(
  folder: string,
  args: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  const unknown = args.find((it) => it.startsWith('--') && it !== '--json')
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}; there is --json.`)
  const asJson = args.includes('--json')
  const cases = chosen(
    await casesIn(folder),
    args.filter((it) => it !== '--json'),
  )
  if (cases.length === 0) throw new Error(`There is no case in ${folder}.`)

  const measuredCode = code()
  const all: Measured[] = []
  for (const it of cases) {
    if (!asJson) say(`${it.id}: ${it.title} …`)
    const measured = await measure(it)
    all.push(measured)
    if (!asJson) for (const line of storyOf(measured)) say(line)
  }
  const isKept = all.every((it) => it.isKept)
  if (asJson) say(JSON.stringify({ machine: machine(), code: measuredCode, isKept, cases: all }, null, 2))
  else for (const line of ['', tableOf(all), '', machineLine(machine()), verdict(all)]) say(line)
  return isKept ? 0 : 1
}

const storyOf = ({ seconds, isKept, result, error }: Measured): string[] => [
  `  ${isKept ? 'kept' : 'BROKEN'} after ${seconds} s`,
  ...(result && !result.ok ? ['  its own correctness check failed'] : []),
  ...(result?.note === undefined ? [] : [`  ${result.note}`]),
  ...(error === undefined ? [] : [error]),
]

/** One line for below a table. */
export const machineLine = ({ cpu, cores, memoryGb, node, kernel }: Machine) =>
  `Machine: ${cpu}, ${cores} cores, ${memoryGb} GB; Node ${node}; kernel ${kernel}`

function verdict(all: readonly Measured[]): string {
  const broken = all.filter((it) => !it.isKept).map((it) => it.id)
  if (broken.length > 0) return `Broken: ${broken.join(', ')}.`
  const noise = all.flatMap(({ result }) => result?.rows ?? []).filter((row) => row.isNoise).length
  return `All ${all.length} kept${noise > 0 ? `; ${noise} figures are noise` : ''}.`
}
