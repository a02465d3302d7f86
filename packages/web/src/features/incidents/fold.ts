// Many incidents of one source as one line of the list. Pure. Which sources are folded is decided when rows come to be shown, and
// then stays: nothing jumps under the pointer.
import type { AnswerOf } from '../../api/call.ts'
import { addressOf } from '../../kit/hostile.ts'

type Row = AnswerOf<'incidentViews', 'rows'>['rows'][number]

/** So many open incidents of one source, last touched within this time, are one line. */
const LEAST = 5
const WITHIN_S = 600

export interface RowLine {
  readonly id: string
  readonly row: Row
  readonly isInside: boolean
}

export interface Fold {
  readonly id: string
  readonly source: string
  /** Those that are loaded. */
  readonly rows: readonly Row[]
  readonly isOpen: boolean
}

export type Line = RowLine | Fold

export const isFold = (line: Line): line is Fold => 'source' in line

/** The sources that are folded where these rows are shown. */
export const foldsOf = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set([...bySource(rows)].flatMap(([source, its]) => (isDense(its) ? [source] : [])))

/** With rows behind those that are shown: a source that is shown already stays as it is. */
export function foldsWith(before: ReadonlySet<string>, shown: readonly Row[], more: readonly Row[]) {
  const known = bySource(shown)
  return new Set([...before, ...[...foldsOf(more)].filter((source) => !known.has(source))])
}

/** A fold stands where its newest row would. */
export function linesOf(
  rows: readonly Row[],
  folds: ReadonlySet<string>,
  opened: ReadonlySet<string>,
): readonly Line[] {
  const all = folds.size > 0 ? bySource(rows) : new Map<string, Row[]>()
  return rows.flatMap((row): Line[] => {
    const source = addressOf(row.src_host) ?? ''
    const its = folds.has(source) ? (all.get(source) ?? []) : []
    if (its.length < 2) return [{ id: row.hash_id, row, isInside: false }]
    if (its[0] !== row) return []
    const isOpen = opened.has(source)
    const inside = isOpen ? its.map((it) => ({ id: it.hash_id, row: it, isInside: true })) : []
    return [{ id: `fold:${source}`, source, rows: its, isOpen }, ...inside]
  })
}

function bySource(rows: readonly Row[]): Map<string, Row[]> {
  const all = new Map<string, Row[]>()
  for (const row of rows) {
    const source = addressOf(row.src_host)
    if (source === undefined) continue
    const its = all.get(source)
    if (its) its.push(row)
    else all.set(source, [row])
  }
  return all
}

function isDense(rows: readonly Row[]): boolean {
  const lasts = rows.map(({ last }) => last).toSorted((a, b) => a - b)
  return lasts.some((at, n) => (lasts[n + LEAST - 1] ?? Infinity) - at <= WITHIN_S)
}
