// Touches that wait for the name of their source: stored already, raised later.
import { inList } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { IgnoreTables } from './tables.ts'

export type DeferredRow = IgnoreTables['deferred_touch']

export const addDeferred = (tx: Tx, rows: readonly DeferredRow[]): Promise<void> =>
  tx.insertMany(
    'deferred_touch',
    rows.map((row) => ({ ...row })),
  )

/** Removes and answers those of the rows that are still there, in the order in which they came. */
export async function takeDeferred(tx: Tx, deferredIds: readonly number[]): Promise<DeferredRow[]> {
  if (deferredIds.length === 0) return []
  const rows = await tx.query
    .selectFrom('deferred_touch')
    .selectAll()
    .where(inList(tx.engine, 'deferred_id', deferredIds))
    .orderBy('deferred_id')
    .execute()
  await tx.deleteMany('deferred_touch', 'deferred_id', deferredIds)
  return rows
}

/** Rows that are still there: the console that deferred them has ended. */
export const staleDeferred = (db: Query, deferredBefore: number, limit: number): Promise<DeferredRow[]> =>
  db
    .selectFrom('deferred_touch')
    .selectAll()
    .where('deferred_at', '<', deferredBefore)
    .orderBy('deferred_id')
    .limit(limit)
    .execute()
