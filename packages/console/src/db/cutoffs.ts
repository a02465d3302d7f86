// Instants before which rows are old, for each Flock: part of a query over a table with the column `flock_id`.
import { sql, type RawBuilder, type SqlBool } from 'kysely'

export interface Cutoffs {
  /** Of the Flocks that are not named; 0: nothing is old. */
  readonly others: number
  readonly flocks: ReadonlyMap<string, number>
}

export const cutoffOf = ({ others, flocks }: Cutoffs, flockId: string): number =>
  flocks.get(flockId) ?? others

/** The latest of them; 0 where nothing is old anywhere. */
export const lastCutoff = ({ others, flocks }: Cutoffs): number => Math.max(others, ...flocks.values())

/** Whether the instant lies before the cut-off of the row's Flock. */
export function isBefore({ others, flocks }: Cutoffs, at: RawBuilder<number>): RawBuilder<SqlBool> {
  if (flocks.size === 0) return sql`${at} < ${sql.lit(others)}`
  const whens = Array.from(flocks, ([flockId, before]) => sql`WHEN ${flockId} THEN ${sql.lit(before)}`)
  return sql`${at} < CASE flock_id ${sql.join(whens, sql` `)} ELSE ${sql.lit(others)} END`
}
