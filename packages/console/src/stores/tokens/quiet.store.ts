// Touches that raised nothing, because the kind of their token judged them quiet.
import type { Limit } from '@rookery/kernel/limit.ts'
import { keepNewest } from '../../db/keep-newest.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { TokenTables } from './tables.ts'

export type QuietTouchRow = TokenTables['quiet_touch']

/** Adds them, and removes the oldest of each token beyond `kept`. */
export async function addQuietTouches(
  tx: Tx,
  rows: readonly Omit<QuietTouchRow, 'quiet_id'>[],
  kept: Limit,
): Promise<void> {
  if (rows.length === 0) return
  const first = await tx.updatedIds(rows.length)
  await tx.insertMany(
    'quiet_touch',
    rows.map((row, index) => ({ quiet_id: first + index, ...row })),
  )
  for (const value of new Set(rows.map((row) => row.token_number)))
    await keepNewest(tx, {
      table: 'quiet_touch',
      id: 'quiet_id',
      kept,
      of: { column: 'token_number', value },
    })
}

/** Those of a token, as many as are kept, the newest first. */
export const quietTouchesOf = (db: Query, number: number): Promise<QuietTouchRow[]> =>
  db
    .selectFrom('quiet_touch')
    .selectAll()
    .where('token_number', '=', number)
    .orderBy('quiet_id', 'desc')
    .execute()
