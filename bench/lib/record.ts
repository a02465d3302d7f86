// Writes measured tables into docs/benchmarks.md, so that no figure there was typed by hand.
// Run: node bench/lib/record.ts bench.json gates.json (what `--json` printed); only the cases in these files change.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from '../../tools/clone.mjs'
import { machineLine, tableOf, type Code, type Machine, type Measured } from '../report.ts'

interface Run {
  readonly machine: Machine
  readonly code: Code
  readonly cases: readonly Measured[]
}

const PAGE = join(root, 'docs/benchmarks.md')

/** The page with the section of each case of the run replaced, or added at the end of its part. */
export function withRun(page: string, { machine, code, cases }: Run): string {
  const below = `${machineLine(machine)}. Measured ${code.day} at ${code.commit}.`
  return cases.reduce((text, measured) => withCase(text, measured, below), page)
}

function withCase(page: string, measured: Measured, below: string): string {
  const { id, title, result, error } = measured
  const [begin, end] = [`<!-- ${id} -->`, `<!-- /${id} -->`]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from)
    throw new Error(`docs/benchmarks.md has no place for ${id}: ${begin} and ${end} are missing.`)
  const notes = result?.note === undefined ? [] : [plain(result.note)]
  const failed = error === undefined ? [] : ['It ended with an error.']
  const section = [
    `**${id}** — ${title}`,
    ...(result && result.rows.length > 0 ? [tableOf([measured])] : failed),
    ...notes,
    below,
  ]
  return `${page.slice(0, from)}${begin}\n\n${section.join('\n\n')}\n\n${page.slice(to)}`
}

/** A note as one Markdown paragraph. */
const plain = (note: string): string => note.replace(/\s+/g, ' ').replace(/([*_<>`])/g, '\\$1')

if (import.meta.main) {
  let page = readFileSync(PAGE, 'utf8')
  for (const path of process.argv.slice(2))
    page = withRun(page, JSON.parse(readFileSync(path, 'utf8')) as Run)
  const options = await resolveConfig(PAGE)
  writeFileSync(PAGE, await format(page, { ...options, parser: 'markdown' }))
}
