// A batch of ingest items is stored by stages, one after the other, in one transaction: batch.ts has them in their order.
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import type { Amendment } from '../../stores/incidents/amend.store.ts'
import type { FirstIncidents } from '../../stores/tokens/first-incidents.store.ts'
import type { TouchPositionBatch, TouchPositions } from '../../stores/touches/positions.store.ts'
import type { SourceDescriber } from '../ip-facts/describe-sources.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import type { RaiseDeps } from '../raise/raise.ts'
import type { RefusedEvents } from './birds/refused-events.ts'
import type { DeferredTouches } from './filters/deferred-touches.ts'
import type { TouchFilter } from './filters/filter.ts'
import type { IgnoreLists } from './filters/ignore-lists.ts'
import type { IgnoredTouches } from './filters/ignored-touches.ts'
import type { QuietTouches } from './filters/quiet-touches.ts'
import type { ReplayBatch } from './filters/replays.ts'
import type { AskedVisit, StoredVisits } from './filters/stored-visits.ts'
import type { VisitBatch, VisitDedup } from './filters/visit-dedup.ts'
import type { IngestItem } from './ingest-item.ts'
import type { TokenArrival } from './tokens/arrival.ts'
import type { TokenBatch, TokenCache } from './tokens/token-cache.ts'

/** What a stage does; each part may be absent. All loads come before the first store, and both follow the order of the stages. */
export interface Stage {
  /** Reads what the stage needs, and puts into the batch what it takes of it. */
  load?(tx: Tx): Promise<void>
  /** Of a filter: whether the touch is raised now; the first filter that says otherwise keeps the touch from being raised. */
  judge?: TouchFilter['judge']
  /** The same for a touch that was deferred already; by default `judge` says it. */
  passesDeferred?: TouchFilter['passesDeferred']
  /** Writes; nothing before the last stage has written counts. */
  store?(tx: Tx): Promise<void>
  /** The transaction is committed. */
  committed?(): void
}

/** Opens a stage for one batch. */
export type OpenStage = (batch: Batch, deps: StoreBatchDeps) => Stage

/** What the stages of a batch share. */
export interface Batch {
  readonly tx: Tx
  readonly items: <T extends IngestItem['type']>(type: T) => readonly Extract<IngestItem, { type: T }>[]
  readonly lists: IgnoreLists
  readonly visiting: VisitBatch
  readonly cached: TokenBatch
  readonly numbers: TouchPositionBatch
  readonly replays: ReplayBatch
  readonly firsts: FirstIncidents
  /** Marks what others have recorded of these visits. */
  readonly loadVisits: (asked: () => readonly AskedVisit[]) => Promise<void>
  /** What the filters say, together. */
  readonly filter: TouchFilter
  /** What is raised, in its order. */
  arrivals: readonly Arrival[]
  /** Those of them that may be part of a scan. */
  readonly ofScans: Arrival[]
  /** Those of them that count as touches of their token. */
  readonly ofTokens: TokenArrival[]
  readonly amendments: Amendment[]
}

export interface StoreBatchDeps extends Pick<AppContext, 'config'> {
  readonly raising: RaiseDeps
  readonly visits: VisitDedup
  readonly storedVisits: StoredVisits
  readonly positions: TouchPositions
  readonly tokenCache: TokenCache
  /** The present ignore lists. */
  readonly ignoreLists: () => Promise<IgnoreLists>
  readonly deferred: DeferredTouches
  /** Counts a touch that a list ignores. */
  readonly onIgnored: (list: string) => void
  readonly ignoredTouches: Pick<IgnoredTouches, 'add'>
  readonly quietTouches: Pick<QuietTouches, 'add'>
  readonly refusedEvents: RefusedEvents
  /** Undefined where no file says anything of a source. */
  readonly sourceDescriber: Pick<SourceDescriber, 'describe' | 'lookUp'> | undefined
  /** New incidents are committed. */
  readonly onRaised: (created: readonly NewIncident[]) => void
}
