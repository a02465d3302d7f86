// Acknowledge, unacknowledge, delete: state, counters and `updated_id` change in one transaction.
import { sql, type RawBuilder } from 'kysely'
import { noIndex } from '../../db/planner.ts'
import type { EngineName, Tx } from '../../db/query.ts'
import { addToCounts } from './counts.store.ts'
import type { IncidentRow } from './filter.store.ts'

/** `reacknowledge` and `restore` undo the two last ones: who acknowledged an incident, and when, is then as before. */
export type StateChange = 'acknowledge' | 'unacknowledge' | 'delete' | 'reacknowledge' | 'restore'

/** What is done, by which actor, and when. */
export interface StateAct {
  readonly change: StateChange
  readonly by: string
  readonly now: number
}

/** How the caller found the incidents. */
export interface Found {
  readonly acknowledged?: 0 | 1 | undefined
  /** The first and the last `updated_id` that they may have. */
  readonly stretch?: { readonly first_id: number; readonly last_id: number }
}

/** An incident as the change has left it. */
export type Changed = Pick<IncidentRow, 'incident_id' | 'flock_id' | 'acknowledged'>

export interface ChangedStates {
  readonly rows: readonly Changed[]
  /** The first of the values of `updated_id` that were given, one for each incident that was asked for. */
  readonly first: number
}

/**
 * Changes those of the incidents that are not in the new state yet, and that are as the caller found them, for others may have
 * changed them since the search. Answers the changed ones. Each gets its own `updated_id`, in the order given.
 */
export async function changeStates(
  tx: Tx,
  incidentIds: readonly number[],
  act: StateAct,
  found: Found = {},
): Promise<ChangedStates> {
  const first = await tx.updatedIds(incidentIds.length)
  const { rows } = await stateUpdate(tx.engine, { ...act, ...found, incidentIds, first }).execute(tx.query)
  if (rows.length > 0) await moveCounts(tx, rows, act.change)
  return { rows, first }
}

interface Portion extends StateAct, Found {
  readonly incidentIds: readonly number[]
  /** The `updated_id` of the first incident. */
  readonly first: number
}

/** One statement: each incident is looked up once. */
export function stateUpdate(
  engine: EngineName,
  { incidentIds, change, by, now, acknowledged, stretch, first }: Portion,
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
  const before = {
    acknowledge: 0,
    reacknowledge: 0,
    unacknowledge: 1,
    delete: acknowledged,
    restore: undefined,
  }[change]
  const state = {
    acknowledge: sql`acknowledged = 1, acknowledged_by = ${by}, acknowledged_at = ${now}`,
    reacknowledge: sql`acknowledged = 1`,
    unacknowledge: sql`acknowledged = 0`,
    restore: sql`deleted_at = NULL`,
    delete: sql`deleted_at = ${now}`,
  }[change]
  // Looks the incidents up by primary key, not by an index of those that are not deleted.
  const only = before === undefined ? sql`` : sql`AND ${noIndex('acknowledged')} = ${sql.lit(before)}`
  const within = stretch
    ? sql`AND ${noIndex('updated_id')} BETWEEN ${stretch.first_id} AND ${stretch.last_id}`
    : sql``
  return sql<Changed>`UPDATE incident_state SET updated_at = ${now}, updated_id = ${updatedId}, ${state}
    FROM ${given} WHERE incident_id = ${number} AND ${noIndex('deleted_at')} IS ${change === 'restore' ? sql`NOT` : sql``} NULL ${only} ${within}
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
    if (change === 'delete' || change === 'restore')
      move(flock_id, acknowledged, change === 'delete' ? -1 : 1)
    else {
      move(flock_id, acknowledged, 1)
      move(flock_id, 1 - acknowledged, -1)
    }
  }
  await addToCounts(tx, [...moves.values()])
}

/** An incident that got a comment: pollers and pages read it again. */
export async function touchIncident(tx: Tx, incidentId: number, now: number): Promise<void> {
  const updated_id = await tx.updatedIds(1)
  await tx.updateMany(
    'incident_state',
    ['incident_id'],
    [{ incident_id: incidentId, updated_id, updated_at: now }],
  )
}
