// Raise: a batch of touches becomes incidents, events and alerts, in one transaction.
import type { Tx } from '../../db/query.ts'
import type { IncidentNotice } from '../../notify/queue/outbox.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import { surgeKey } from '../../stores/incidents/aggregation.ts'
import { loadSources, type IncidentSource } from '../../stores/incidents/shared.store.ts'
import { takingKey, type Arrival } from './arrival.ts'
import { decide } from './decide.ts'
import type { NewIncident, OpenIncident } from './plan.ts'
import { loadOpen, storePlan } from './store.ts'
import type { IncidentRateLimit } from './incident-rate-limit.ts'

export interface RaiseDeps {
  readonly names: IncidentNames
  readonly rateLimit: IncidentRateLimit
  readonly quietMs: number
  /** Writes the outbox rows of new incidents, in the same transaction. */
  readonly announce: (tx: Tx, created: readonly IncidentNotice[]) => Promise<void>
}

/** Raises in the order of arrival; answers the new incidents. */
export async function raise(
  tx: Tx,
  arrivals: readonly Arrival[],
  raising: RaiseDeps,
): Promise<readonly NewIncident[]> {
  if (arrivals.length === 0) return []
  const firstUpdatedId = await tx.updatedIds(arrivals.length)
  const joined = new Set(arrivals.flatMap(({ joins }) => joins ?? []))
  const open = await loadOpen(tx, keysToAsk(arrivals, raising.rateLimit), joined)
  const sources = await loadSources(tx, sourcesToAsk(arrivals, open))
  const plan = decide(arrivals, { ...raising, open, sources, firstUpdatedId })
  await storePlan(tx, plan)
  if (plan.created.length > 0) await raising.announce(tx, plan.notices)
  return plan.created
}

/** The aggregation keys of the touches, and those of the incidents of many sources that may take some. */
const keysToAsk = (arrivals: readonly Arrival[], rateLimit: IncidentRateLimit): string[] => [
  ...new Set([
    ...arrivals.map(takingKey),
    ...rateLimit.mayPass(arrivals).map(({ touch }) => surgeKey(touch)),
  ]),
]

/** The addresses that may be new to the open incidents of the batch, each once. */
function sourcesToAsk(
  arrivals: readonly Arrival[],
  open: ReadonlyMap<string, OpenIncident>,
): readonly IncidentSource[] {
  if (open.size === 0) return []
  const asked = new Map<string, IncidentSource>()
  for (const arrival of arrivals) {
    const { touch } = arrival
    for (const incident of [open.get(takingKey(arrival)), open.get(surgeKey(touch))]) {
      if (incident === undefined || incident.src_host === touch.srcHost) continue
      const { incident_id } = incident
      asked.set(`${incident_id} ${touch.srcHost}`, { incident_id, src_host: touch.srcHost })
    }
  }
  return [...asked.values()]
}
