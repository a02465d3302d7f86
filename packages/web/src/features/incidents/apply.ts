// What the bell brings, applied to the rows that are shown. Pure: `use-rows.ts` asks and keeps.
import type { AnswerOf } from '../../api/call.ts'
import { foldsOf, foldsWith } from './fold.ts'

export type Answer = AnswerOf<'incidentViews', 'rows'>
export type Row = Answer['rows'][number]

export interface Rows {
  readonly rows: readonly Row[]
  /** New rows that wait behind the pill: nothing jumps under the pointer. */
  readonly waiting: readonly Row[]
  /** Rows that came in by themselves with the last change. */
  readonly entered: ReadonlySet<string>
  /** Sources whose rows are one line. */
  readonly folds: ReadonlySet<string>
  readonly total: number
  readonly max: number
}

/** The browser keeps at most this many rows, whatever is stored. */
export const MAX_ROWS = 2_000

/** Changed rows take the place of their older selves; new ones enter at the top, or wait. */
export function applyChanges(before: Rows, changes: Answer, canEnter: boolean): Rows {
  const gone = new Set(changes.gone)
  const changed = new Map(changes.rows.map((row) => [row.hash_id, row]))
  const known = new Set([...before.rows, ...before.waiting].map(({ hash_id }) => hash_id))
  const refresh = (rows: readonly Row[]): Row[] =>
    rows.filter(({ hash_id }) => !gone.has(hash_id)).map((row) => changed.get(row.hash_id) ?? row)
  const oldest = before.rows.at(-1)
  // A row older than the last one shown belongs to a page that is not loaded yet.
  const fresh = changes.rows.filter(
    (row) =>
      !known.has(row.hash_id) &&
      (oldest === undefined || row.first >= oldest.first || before.total <= before.rows.length),
  )
  const rows = refresh(before.rows)
  const waiting = [...fresh, ...refresh(before.waiting)].toSorted(byCreation)
  const state = { total: changes.total, max: Math.max(before.max, changes.max_updated_id) }
  const next = { rows, waiting, entered: new Set<string>(), folds: before.folds, ...state }
  return canEnter && waiting.length > 0 ? enter(next) : next
}

/** Lets the waiting rows in, each at its place. */
export function enter({ waiting, ...before }: Rows): Rows {
  // Stable: rows of the same second keep the order in which the console lists them.
  const rows = [...waiting, ...before.rows].toSorted((a, b) => b.first - a.first).slice(0, MAX_ROWS)
  const entered = new Set(waiting.map(({ hash_id }) => hash_id))
  return { ...before, rows, waiting: [], entered, folds: foldsOf(rows) }
}

/** With the next page behind the ones before. */
export function append(before: Rows, more: readonly Row[]): Rows {
  const known = new Set(before.rows.map(({ hash_id }) => hash_id))
  return {
    ...before,
    rows: [...before.rows, ...more.filter(({ hash_id }) => !known.has(hash_id))],
    folds: foldsWith(before.folds, before.rows, more),
  }
}

/** Puts rows back where they stood in `old`; what came meanwhile stays. */
export function putBack(before: Rows, old: readonly Row[], hashes: ReadonlySet<string>): Rows {
  const present = new Map(before.rows.map((row) => [row.hash_id, row]))
  const back = old.flatMap((row) => present.get(row.hash_id) ?? (hashes.has(row.hash_id) ? row : []))
  const placed = new Set(back.map(({ hash_id }) => hash_id))
  const others = before.rows.filter(({ hash_id }) => !placed.has(hash_id))
  const rows = [...others, ...back].toSorted((a, b) => b.first - a.first)
  return { ...before, rows, total: before.total + rows.length - before.rows.length }
}

/** Takes rows out at once, before the console has answered. */
export const without = (before: Rows, hashes: ReadonlySet<string>): Rows => {
  const rows = before.rows.filter(({ hash_id }) => !hashes.has(hash_id))
  return { ...before, rows, total: Math.max(0, before.total - (before.rows.length - rows.length)) }
}

const byCreation = (a: Row, b: Row): number => b.first - a.first || b.updated_id - a.updated_id
