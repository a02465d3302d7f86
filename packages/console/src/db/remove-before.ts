// Rows whose time is over go some at a time, so that no transaction holds ingest up.
import type { Tx } from './query.ts'
import type { Schema } from './schema.gen.ts'

export interface DatedRows {
  readonly table: keyof Schema & string
  /** The column by which rows are deleted. */
  readonly key: string
  /** The column with the instant. */
  readonly at: string
}

/** Removes at most `most` rows whose instant lies before `before`, the oldest first; answers how many. */
export async function removeBefore(
  tx: Tx,
  { table, key, at }: DatedRows,
  before: number,
  most: number,
): Promise<number> {
  const old = await tx.rows<{ readonly key: string | number }>(
    `SELECT ${key} AS key FROM ${table} WHERE ${at} < ? ORDER BY ${at} LIMIT ?`,
    [before, most],
  )
  await tx.deleteMany(
    table,
    key,
    old.map((row) => row.key),
  )
  return old.length
}
