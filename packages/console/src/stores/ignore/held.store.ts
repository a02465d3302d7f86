// Touches that wait for the name of their source: stored already, raised later.
import { among } from '../../db/among.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { IgnoreTables } from './tables.ts'

export type HeldRow = IgnoreTables['held_touch']

export const addHeld = (tx: Tx, rows: readonly HeldRow[]): Promise<void> =>
  tx.insertMany(
    'held_touch',
    rows.map((row) => ({ ...row })),
  )

/** Takes those of the rows that are still there, in the order in which they came. */
export async function takeHeld(tx: Tx, heldIds: readonly number[]): Promise<HeldRow[]> {
  if (heldIds.length === 0) return []
  const rows = await tx.query
    .selectFrom('held_touch')
    .selectAll()
    .where(among(tx.engine, 'held_id', heldIds))
    .orderBy('held_id')
    .execute()
  await tx.deleteMany('held_touch', 'held_id', heldIds)
  return rows
}

/** Rows that nobody has taken since: whoever held them is gone. */
export const staleHeld = (db: Query, heldBefore: number, most: number): Promise<HeldRow[]> =>
  db
    .selectFrom('held_touch')
    .selectAll()
    .where('held_at', '<', heldBefore)
    .orderBy('held_id')
    .limit(most)
    .execute()
