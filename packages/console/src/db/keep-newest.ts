// Tables that keep their newest rows alone.
import type { Limit } from '@rookery/kernel/limit.ts'
import type { Tx } from './query.ts'
import type { Schema } from './schema.gen.ts'

export interface NewestRows {
  readonly table: keyof Schema & string
  /** The column of numbers that rise with each row. */
  readonly id: string
  readonly kept: Limit
  /** Rows with this value are counted by themselves; without it all rows of the table are. */
  readonly of?: { readonly column: string; readonly value: string | number }
}

/** Removes the oldest beyond `kept`, and counts that the bound was met. */
export async function keepNewest(tx: Tx, { table, id, kept, of }: NewestRows): Promise<void> {
  const [where, values] = of ? [`${of.column} = ?`, [of.value]] : ['1 = 1', []]
  const removed = await tx.rows(
    `DELETE FROM ${table} WHERE ${where} AND ${id} <=
      (SELECT ${id} FROM ${table} WHERE ${where} ORDER BY ${id} DESC LIMIT 1 OFFSET ${kept.max}) RETURNING ${id}`,
    [...values, ...values],
  )
  if (removed.length > 0) kept.hit()
}
