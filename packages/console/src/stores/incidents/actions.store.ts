// Changing the state of incidents, in chunks: counts, updated_id and the search index move with them.
import type { EngineName, Scope, Tx } from '../../db/query.ts'
import { ACKNOWLEDGED, DELETED } from './block.ts'
import { addToCount } from './counts.store.ts'
import { matchingAmong, type IncidentFilter, type IncidentRow } from './filter.store.ts'
import { indexStates } from './index-writing.store.ts'

export type StateChange = 'acknowledge' | 'unacknowledge' | 'delete'

/** What a change must know of an incident. */
export type Changing = Pick<IncidentRow, 'incident_id' | 'flock_id' | 'acknowledged'>

/** Those of the numbered incidents that match now: they may have changed since they were found. */
export const stillMatching = (
  tx: Pick<Tx, 'query' | 'engine'>,
  scope: Scope,
  filter: IncidentFilter,
  incidentIds: readonly number[],
): Promise<Changing[]> =>
  matchingAmong(tx.query, tx.engine, scope, filter, incidentIds)
    .select(['incident_id', 'flock_id', 'acknowledged'])
    .execute()

/** Applies the change to those of the rows that it concerns; every one gets an updated_id of its own. */
export async function applyChange(
  tx: Tx,
  rows: readonly Changing[],
  change: StateChange,
  now: number,
): Promise<void> {
  const concerned = rows.filter(
    (row) => change === 'delete' || row.acknowledged === (change === 'acknowledge' ? 0 : 1),
  )
  if (concerned.length === 0) return
  const first = await tx.updatedIds(concerned.length)
  await tx.rows(changing(tx.engine, change), [
    now,
    change === 'delete' ? now : change === 'acknowledge' ? 1 : 0,
    first,
    JSON.stringify(concerned.map((row) => row.incident_id)),
  ])
  await indexStates(tx, concerned, (index) => stateAfter(change, concerned[index]?.acknowledged ?? 0))
  await moveCounts(tx, concerned, change)
}

/** The numbered incidents get rising updated_ids, in their order. */
const changing = (engine: EngineName, change: StateChange): string =>
  `UPDATE incident SET updated_at = ?, ${change === 'delete' ? 'deleted_at' : 'acknowledged'} = ?, ${
    engine === 'sqlite'
      ? `updated_id = ? + x.key FROM json_each(?) AS x WHERE incident_id = x.value`
      : `updated_id = ?::bigint + x.nth - 1
         FROM jsonb_array_elements_text(?::jsonb) WITH ORDINALITY AS x (value, nth) WHERE incident_id = x.value::bigint`
  }`

const stateAfter = (change: StateChange, acknowledged: number): number =>
  change === 'delete'
    ? DELETED | (acknowledged === 1 ? ACKNOWLEDGED : 0)
    : change === 'acknowledge'
      ? ACKNOWLEDGED
      : 0

async function moveCounts(tx: Tx, rows: readonly Changing[], change: StateChange): Promise<void> {
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
