// Raise: a batch of touches becomes incidents, events and alerts, in one transaction.
import type { Tx } from '../../db/query.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import { aggregationKey, surgeKey } from '../../stores/incidents/aggregation.ts'
import type { Arrival } from './arrival.ts'
import { decide } from './decide.ts'
import type { NewIncident, Told } from './plan.ts'
import { loadOpen, storePlan } from './store.ts'
import type { Surge } from './surge.ts'

export interface Raising {
  readonly names: IncidentNames
  readonly surge: Surge
  readonly quietMs: number
  /** Writes the outbox rows of new incidents, in the same transaction. */
  readonly announce: (tx: Tx, created: readonly Told[]) => Promise<void>
}

/** Raises in the order of arrival; answers the new incidents. */
export async function raise(
  tx: Tx,
  arrivals: readonly Arrival[],
  raising: Raising,
): Promise<readonly NewIncident[]> {
  if (arrivals.length === 0) return []
  const firstUpdatedId = await tx.updatedIds(arrivals.length)
  const open = await loadOpen(tx, keysToAsk(arrivals, raising.surge))
  const plan = decide(arrivals, { ...raising, open, firstUpdatedId })
  await storePlan(tx, plan)
  if (plan.created.length > 0) await raising.announce(tx, plan.told)
  return plan.created
}

/** The aggregation keys of the touches, and of those crowds that might overflow in this batch. */
function keysToAsk(arrivals: readonly Arrival[], surge: Surge): string[] {
  const keys = new Set<string>()
  const crowds = new Map<string, number>()
  for (const { touch } of arrivals) {
    keys.add(aggregationKey(touch))
    const crowd = surgeKey(touch)
    crowds.set(crowd, (crowds.get(crowd) ?? 0) + 1)
  }
  for (const [crowd, size] of crowds) if (surge.mayPass(crowd, size)) keys.add(crowd)
  return [...keys]
}
