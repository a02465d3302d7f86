// Changing the state of incidents, in chunks: counts, updated_id and the search index move with them.
import { sql, type RawBuilder } from 'kysely'
import type { EngineName, Tx } from '../../db/query.ts'
import { pipeline } from '../../db/pipeline.ts'
import { ACKNOWLEDGED, DELETED } from './block.ts'
import { addToCounts } from './counts.store.ts'
import type { IncidentRow } from './filter.store.ts'
import { indexStates } from './index-writing.store.ts'

export type StateChange = 'acknowledge' | 'unacknowledge' | 'delete'

/** An incident as the change has left it. */
export type Changed = Pick<IncidentRow, 'incident_id' | 'flock_id' | 'acknowledged'>

/**
 * Changes those of the numbered incidents that are in the other state, and, with `acknowledged`, in that one: they may have
 * changed since they were found, in nothing else that anyone asks for. Answers them; each gets an updated_id of its own, in
 * the order in which they are given.
 */
export async function changeStates(
  tx: Tx,
  incidentIds: readonly number[],
  change: StateChange,
  now: number,
  acknowledged?: 0 | 1,
): Promise<Changed[]> {
  const first = await tx.updatedIds(incidentIds.length)
  const { rows } = await changing(tx.engine, { incidentIds, change, now, acknowledged, first }).execute(
    tx.query,
  )
  if (rows.length === 0) return []
  const stateOf = ({ acknowledged }: Changed): number =>
    (acknowledged === 1 ? ACKNOWLEDGED : 0) | (change === 'delete' ? DELETED : 0)
  await pipeline(tx, [
    () =>
      indexStates(
        tx,
        rows.map((row) => ({ incident_id: row.incident_id, state: stateOf(row) })),
      ),
    () => moveCounts(tx, rows, change),
  ])
  return rows
}

interface Asked {
  readonly incidentIds: readonly number[]
  readonly change: StateChange
  readonly now: number
  readonly acknowledged: 0 | 1 | undefined
  /** The updated_id of the first. */
  readonly first: number
}

/** One statement, so that each incident is looked up once. */
export function changing(
  engine: EngineName,
  { incidentIds, change, now, acknowledged, first }: Asked,
): RawBuilder<Changed> {
  const numbers = JSON.stringify(incidentIds)
  const [given, number, updatedId] =
    engine === 'sqlite'
      ? [sql`json_each(${numbers}) AS x`, sql`x.value`, sql`${first} + x.key`]
      : [
          sql`jsonb_array_elements_text(${numbers}::jsonb) WITH ORDINALITY AS x (value, nth)`,
          sql`x.value::bigint`,
          sql`${first}::bigint + x.nth - 1`,
        ]
  const before = change === 'delete' ? acknowledged : change === 'acknowledge' ? 0 : 1
  const state =
    change === 'delete'
      ? sql`deleted_at = ${now}`
      : sql`acknowledged = ${sql.lit(change === 'acknowledge' ? 1 : 0)}`
  // A sum keeps an index out.
  const only = before === undefined ? sql`` : sql`AND acknowledged + 0 = ${sql.lit(before)}`
  return sql<Changed>`UPDATE incident_state SET updated_at = ${now}, updated_id = ${updatedId}, ${state}
    FROM ${given} WHERE incident_id = ${number} AND deleted_at IS NULL ${only}
    RETURNING incident_id, flock_id, acknowledged`
}

async function moveCounts(tx: Tx, rows: readonly Changed[], change: StateChange): Promise<void> {
  const moves = new Map<string, { flock_id: string; acknowledged: number; n: number }>()
  const move = (flock_id: string, acknowledged: number, by: number): void => {
    const key = `${acknowledged} ${flock_id}`
    const { n } = moves.get(key) ?? { n: 0 }
    moves.set(key, { flock_id, acknowledged, n: n + by })
  }
  for (const { flock_id, acknowledged } of rows) {
    if (change === 'delete') move(flock_id, acknowledged, -1)
    else {
      move(flock_id, acknowledged, 1)
      move(flock_id, 1 - acknowledged, -1)
    }
  }
  await addToCounts(tx, [...moves.values()])
}
