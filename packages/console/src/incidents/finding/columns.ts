// Columns of neighbouring blocks, each cell read once, and only for the blocks that need it.
import type { EngineName, Query } from '../../db/query.ts'
import type { Column } from '../../stores/incidents/block.ts'
import { cellId, cellsOf } from '../../stores/incidents/index.store.ts'

export interface Columns {
  /** Reads a column of these blocks, or several at once. */
  read(...wanted: readonly (readonly [Column, Iterable<number>])[]): Promise<void>
  /** Empty unless it was read. */
  cell(column: Column, block: number): Uint8Array
}

const EMPTY = new Uint8Array()

export function openColumns(query: Query, engine: EngineName): Columns {
  const cells = new Map<number, Uint8Array>()
  return {
    async read(...wanted) {
      const ids = wanted.flatMap(([column, blocks]) => Array.from(blocks, (block) => cellId(column, block)))
      const missing = ids.filter((id) => !cells.has(id))
      for (const [id, bytes] of await cellsOf(query, engine, missing)) cells.set(id, bytes)
    },
    cell: (column, block) => cells.get(cellId(column, block)) ?? EMPTY,
  }
}
