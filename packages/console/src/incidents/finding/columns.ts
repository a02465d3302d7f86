// Columns of neighbouring blocks, each cell read once, and only for the blocks and rows that are needed.
import type { EngineName, Query } from '../../db/query.ts'
import { asF64, asU16, asU32, type Column } from '../../stores/incidents/block.ts'
import { cellId, cellsOf, stretchesOf, type Stretch } from '../../stores/incidents/index.store.ts'

/** Columns with a number for each row, and its bytes. */
const OF_ROWS = {
  numbers: { as: asU32, bytes: 4 },
  times: { as: asF64, bytes: 8 },
  origins: { as: asU16, bytes: 2 },
} as const
export type RowColumn = keyof typeof OF_ROWS

/** Rows of a block, by their rising places. */
export interface Rows {
  readonly block: number
  readonly places: Uint16Array
}

export interface Columns {
  /** Reads a column of these blocks, or several at once. */
  read(...wanted: readonly (readonly [Column, readonly number[]])[]): Promise<void>
  /** Reads a column of these rows: of a few neighbours no more than theirs. */
  readRows(...wanted: readonly (readonly [RowColumn, readonly Rows[]])[]): Promise<void>
  /** Empty unless it was read. */
  cell(column: Column, block: number): Uint8Array
  /** What each of these rows has; empty unless they were read. */
  ofRows<C extends RowColumn>(column: C, rows: Rows): ReturnType<(typeof OF_ROWS)[C]['as']>
}

const EMPTY = new Uint8Array()

export function openColumns(query: Query, engine: EngineName): Columns {
  const cells = new Map<number, Uint8Array>()
  /** Runs of rows, one behind the other, and where each row stands among them. */
  const cut = new Map<number, { readonly cells: Uint8Array; readonly places: Uint16Array }>()

  async function readCells(ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !cells.has(id))
    for (const [id, bytes] of await cellsOf(query, engine, missing)) cells.set(id, bytes)
  }

  return {
    read: (...wanted) =>
      readCells(wanted.flatMap(([column, blocks]) => blocks.map((block) => cellId(column, block)))),
    async readRows(...wanted) {
      const whole: number[] = []
      const inRuns: { readonly id: number; readonly places: Uint16Array; readonly stretches: Stretch[] }[] =
        []
      for (const [column, some] of wanted) {
        for (const { block, places } of some) {
          const id = cellId(column, block)
          // SQLite reads a cell whole, whatever is asked of it.
          const runs = engine === 'sqlite' || cells.has(id) ? undefined : runsOf(places)
          if (runs) {
            const { bytes } = OF_ROWS[column]
            const stretches = runs.map(({ from, rows }) => ({ id, from: from * bytes, length: rows * bytes }))
            inRuns.push({ id, places: placesIn(runs, places), stretches })
          } else whole.push(id)
        }
      }
      await readCells(whole)
      const found = await stretchesOf(
        query,
        inRuns.flatMap(({ stretches }) => stretches),
      )
      let from = 0
      for (const { id, places, stretches } of inRuns) {
        const behind = from + stretches.length
        cut.set(id, { cells: Buffer.concat(found.slice(from, behind)), places })
        from = behind
      }
    },
    cell: (column, block) => cells.get(cellId(column, block)) ?? EMPTY,
    ofRows(column, { block, places }) {
      const id = cellId(column, block)
      const runs = cut.get(id)
      const all = OF_ROWS[column].as(runs?.cells ?? cells.get(id) ?? EMPTY)
      return picked(all, all.length === 0 ? NO_PLACES : (runs?.places ?? places)) as never
    },
  }
}

const NO_PLACES = new Uint16Array()

/** What stands at these places. */
export function picked<T extends Uint16Array | Uint32Array | Float64Array>(all: T, places: Uint16Array): T {
  const some = all.slice(0, places.length) as T
  for (let at = 0; at < places.length; at++) some[at] = all[places[at] as number] as number
  return some
}

interface Run {
  readonly from: number
  rows: number
}

/** Places that lie closer together are read as one run. */
const NEAR = 64
/** Of more runs, or more rows, the whole column is read faster. */
const MOST_RUNS = 4
const MOST_ROWS = 1_024

function runsOf(places: Uint16Array): Run[] | undefined {
  const runs: Run[] = []
  for (const place of places) {
    const last = runs.at(-1)
    if (last && place - last.from - last.rows < NEAR) last.rows = place - last.from + 1
    else if (runs.length === MOST_RUNS) return undefined
    else runs.push({ from: place, rows: 1 })
    if ((runs.at(-1)?.rows ?? 0) > MOST_ROWS) return undefined
  }
  return runs
}

/** Where rows stand when the runs that hold them lie one behind the other. */
function placesIn(runs: readonly Run[], places: Uint16Array): Uint16Array {
  let run = 0
  let before = 0
  return places.map((place) => {
    let { from, rows } = runs[run] as Run
    while (place >= from + rows) {
      before += rows
      ;({ from, rows } = runs[++run] as Run)
    }
    return before + place - from
  })
}
