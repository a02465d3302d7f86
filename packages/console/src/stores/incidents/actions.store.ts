// Changing the state of incidents, in chunks: counts and updated_id move with them.
import type { Scope, Tx } from '../../db/query.ts'
import { matching, type IncidentFilter, type IncidentRow } from './filter.store.ts'
import { addToCount } from './counts.store.ts'

export type StateChange = 'acknowledge' | 'unacknowledge' | 'delete'

/** At most `limit` incidents that match, by rising id above `afterId`. */
export const chunkOf = (
  tx: Tx,
  scope: Scope,
  filter: IncidentFilter,
  afterId: number,
  limit: number,
): Promise<IncidentRow[]> =>
  matching(tx.query, tx.engine, scope, filter)
    .selectAll()
    .where('incident_id', '>', afterId)
    .orderBy('incident_id')
    .limit(limit)
    .execute()

/** Applies the change to those of the rows that it concerns; every one gets an updated_id of its own. */
export async function applyChange(
  tx: Tx,
  rows: readonly IncidentRow[],
  change: StateChange,
  now: number,
): Promise<void> {
  const concerned = rows.filter(
    (row) => change === 'delete' || row.acknowledged === (change === 'acknowledge' ? 0 : 1),
  )
  if (concerned.length === 0) return
  const first = await tx.updatedIds(concerned.length)
  await tx.updateMany(
    'incident',
    ['incident_id'],
    concerned.map((row, index) => ({
      incident_id: row.incident_id,
      updated_id: first + index,
      updated_at: now,
      ...(change === 'delete' ? { deleted_at: now } : { acknowledged: change === 'acknowledge' ? 1 : 0 }),
    })),
  )
  await moveCounts(tx, concerned, change)
}

async function moveCounts(tx: Tx, rows: readonly IncidentRow[], change: StateChange): Promise<void> {
  const moves = new Map<string, number>()
  const move = (flockId: string, state: number, by: number): void => {
    const key = `${state} ${flockId}`
    moves.set(key, (moves.get(key) ?? 0) + by)
  }
  for (const { flock_id, acknowledged } of rows) {
    move(flock_id, acknowledged, -1)
    if (change !== 'delete') move(flock_id, 1 - acknowledged, 1)
  }
  for (const [key, by] of moves) await addToCount(tx, key.slice(2), key.startsWith('1') ? 1 : 0, by)
}
