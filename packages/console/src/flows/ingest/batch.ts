// One batch of ingest items, stored in one transaction: each stage loads, then each stores, then, after the commit, each tells.
import type { Tx } from '../../db/query.ts'
import { openFirstIncidents } from '../../stores/tokens/first-incidents.store.ts'
import { replayBatch } from './filters/replays.ts'
import type { IngestItem } from './ingest-item.ts'
import type { Batch, OpenStage, Stage, StoreBatchDeps } from './stage.ts'
import { amendments } from './stages/amendments.ts'
import { birdEvents } from './stages/bird-events.ts'
import { firstIncidents } from './stages/first-incidents.ts'
import { ignoring } from './stages/ignoring.ts'
import { incidents } from './stages/incidents.ts'
import { ownTouches } from './stages/own-touches.ts'
import { providerEvents } from './stages/provider-events.ts'
import { releasedTouches } from './stages/released-touches.ts'
import { replays } from './stages/replays.ts'
import { scans } from './stages/scans.ts'
import { sourceFacts } from './stages/source-facts.ts'
import { tokenVisits } from './stages/token-visits.ts'
import { triggerCounts } from './stages/trigger-counts.ts'
import { visits } from './stages/visits.ts'

/**
 * What was deferred came first, and begins visits that requests of this batch may be part of. Birds' events come before what is
 * made of them, the scans. Facts of sources are added once all that is raised is known. Of the stores, incidents come first:
 * amendments change events of this batch, too. Replays, visits, first incidents and counts note what was raised. Touches
 * that wait for a name are stored last, when every source has been judged.
 */
const STAGES: readonly OpenStage[] = [
  releasedTouches,
  birdEvents,
  tokenVisits,
  providerEvents,
  ownTouches,
  scans,
  sourceFacts,
  incidents,
  amendments,
  replays,
  visits,
  firstIncidents,
  triggerCounts,
  ignoring,
]

/** Stores the items in their order; the answer settles their callers once the transaction is committed. */
export async function storeBatch(
  tx: Tx,
  items: readonly IngestItem[],
  deps: StoreBatchDeps,
): Promise<() => void> {
  deps.config.observe(tx.configVersion())
  const lists = await deps.ignoreLists()
  const visiting = deps.visits.batch()
  const filters: Stage[] = []
  const batch: Batch = {
    tx,
    items: (type) =>
      items.filter((item): item is Extract<IngestItem, { type: typeof type }> => item.type === type),
    lists,
    visiting,
    cached: deps.tokenCache.batch(tx),
    numbers: deps.positions.batch(tx),
    replays: replayBatch(tx),
    firsts: openFirstIncidents(tx),
    loadVisits: (asked) => deps.storedVisits.load(tx, visiting, asked),
    filter: filterOf(filters),
    arrivals: [],
    ofScans: [],
    ofTokens: [],
    amendments: [],
  }
  const stages = STAGES.map((open) => open(batch, deps))
  filters.push(...stages.filter(({ judge }) => judge !== undefined))
  for (const stage of stages) if (stage.load) await stage.load(tx)
  for (const stage of stages) if (stage.store) await stage.store(tx)
  return () => {
    for (const stage of stages) stage.committed?.()
  }
}

/** The filters are asked in the order of their stages. */
const filterOf = (filters: readonly Stage[]): Batch['filter'] => ({
  judge(arrival, visitOf) {
    for (const filter of filters) {
      const verdict = filter.judge?.(arrival, visitOf) ?? 'raised'
      if (verdict !== 'raised') return verdict
    }
    return 'raised'
  },
  passesDeferred: (arrival) =>
    filters.every((filter) => filter.passesDeferred?.(arrival) ?? filter.judge?.(arrival) === 'raised'),
})
