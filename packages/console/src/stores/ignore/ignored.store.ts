// The last touches that were ignored.
import type { Limit } from '@rookery/kernel/limit.ts'
import { keepNewest } from '../../db/keep-newest.ts'
import type { Query, Scope, Tx } from '../../db/query.ts'
import { scopeIds } from '../../db/scope.ts'
import type { IgnoreTables } from './tables.ts'

export type IgnoredRow = IgnoreTables['ignored_touch']

/** Adds them, and removes the oldest beyond `kept`. */
export async function addIgnored(
  tx: Tx,
  rows: readonly Omit<IgnoredRow, 'ignored_id'>[],
  kept: Limit,
): Promise<void> {
  const first = await tx.updatedIds(rows.length)
  await tx.insertMany(
    'ignored_touch',
    rows.map((row, index) => ({ ignored_id: first + index, ...row })),
  )
  await keepNewest(tx, { table: 'ignored_touch', id: 'ignored_id', kept })
}

/** The newest first. */
export const listIgnored = (
  db: Query,
  scope: Scope,
  {
    flockId,
    nodeId,
    srcHost,
  }: { readonly flockId?: string; readonly nodeId?: string; readonly srcHost?: string },
): Promise<IgnoredRow[]> =>
  db
    .selectFrom('ignored_touch')
    .selectAll()
    .$if(scope !== 'all', (query) => query.where('flock_id', 'in', scopeIds(scope)))
    .$if(flockId !== undefined, (query) => query.where('flock_id', '=', flockId ?? ''))
    .$if(nodeId !== undefined, (query) => query.where('node_id', '=', nodeId ?? ''))
    .$if(srcHost !== undefined, (query) => query.where('src_host', '=', srcHost ?? ''))
    .orderBy('ignored_id', 'desc')
    .execute()
