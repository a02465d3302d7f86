// Raise: a batch of touches becomes incidents, events and alerts, in one transaction.
import type { Tx } from '../../db/query.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import { aggregationKey, surgeKey } from '../../stores/incidents/aggregation.ts'
import type { Arrival } from './arrival.ts'
import { decide } from './decide.ts'
import type { NewIncident } from './plan.ts'
import { loadOpen, storePlan } from './store.ts'
import type { Surge } from './surge.ts'

export interface Raising {
  readonly names: IncidentNames
  readonly surge: Surge
  readonly quietMs: number
  /** Writes the outbox rows of new incidents, in the same transaction. */
  readonly announce: (tx: Tx, created: readonly NewIncident[]) => Promise<void>
}

/** Raises in the order of arrival; answers the new incidents. */
export async function raise(
  tx: Tx,
  arrivals: readonly Arrival[],
  raising: Raising,
): Promise<readonly NewIncident[]> {
  if (arrivals.length === 0) return []
  const keys = new Set(arrivals.flatMap(({ touch }) => [aggregationKey(touch), surgeKey(touch)]))
  const firstUpdatedId = await tx.updatedIds(arrivals.length)
  const open = await loadOpen(tx, [...keys])
  const plan = decide(arrivals, { ...raising, open, firstUpdatedId })
  await storePlan(tx, plan)
  if (plan.created.length > 0) await raising.announce(tx, plan.created)
  return plan.created
}
