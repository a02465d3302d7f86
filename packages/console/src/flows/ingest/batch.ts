// One batch of ingest items, stored in one transaction.
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { logtypeOf } from '../../logtypes.ts'
import { amendEvents } from '../../stores/incidents/amend.store.ts'
import { openFirstIncidents } from '../../stores/tokens/first-incidents.store.ts'
import { countTriggers } from '../../stores/tokens/store.ts'
import type { TouchPositions } from '../../stores/touches/positions.store.ts'
import type { SourceDescriber } from '../ip-facts/describe-sources.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type RaiseDeps } from '../raise/raise.ts'
import { takeBirdBatches } from './birds/batches.ts'
import { consolidateScans } from './birds/consolidated-scans.ts'
import type { IngestItem, ConsoleTouch } from './ingest-item.ts'
import type { DeferredTouches } from './filters/deferred-touches.ts'
import type { IgnoreLists } from './filters/ignore-lists.ts'
import type { RefusedEvents } from './birds/refused-events.ts'
import type { TokenCache } from './tokens/token-cache.ts'
import { openIgnoreFilter } from './filters/ignore-filter.ts'
import type { IgnoredTouches } from './filters/ignored-touches.ts'
import type { QuietTouches } from './filters/quiet-touches.ts'
import { replayBatch } from './filters/replays.ts'
import { takeProviderBatches } from './tokens/provider-events.ts'
import type { TokenArrival } from './tokens/arrival.ts'
import { takeReleased, takeTokenVisits } from './tokens/visits.ts'
import { askedOf, keysOfDeferred } from './filters/visit-keys.ts'
import type { AskedVisit, StoredVisits } from './filters/stored-visits.ts'
import type { VisitDedup } from './filters/visit-dedup.ts'

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

/** Stores the items in their order; the answer settles their callers once the transaction is committed. */
export async function storeBatch(
  tx: Tx,
  items: readonly IngestItem[],
  {
    config,
    raising,
    visits,
    storedVisits,
    positions,
    tokenCache,
    ignoreLists,
    deferred,
    onIgnored,
    ignoredTouches,
    quietTouches,
    refusedEvents,
    sourceDescriber,
    onRaised,
  }: StoreBatchDeps,
): Promise<() => void> {
  config.observe(tx.configVersion())
  const lists = await ignoreLists()
  const birds = items.filter((item) => item.type === 'bird')
  const tokens = items.filter((item) => item.type === 'token')
  const ofConsole = items.filter((item) => item.type === 'console')
  const ofProviders = items.filter((item) => item.type === 'provider')
  const releases = items.filter((item) => item.type === 'released')
  const visiting = visits.batch()
  const cached = tokenCache.batch(tx)
  const numbers = positions.batch(tx)
  const replays = replayBatch(tx)
  const firsts = openFirstIncidents(tx)
  const filter = openIgnoreFilter(lists, deferred)

  const taken = await deferred.take(
    tx,
    releases.flatMap(({ released }) => released.deferredIds),
    releases.some(({ released }) => released.isSanitized),
  )
  const loadVisits = (asked: () => readonly AskedVisit[]) => storedVisits.load(tx, visiting, asked)
  await loadVisits(() =>
    taken.flatMap(({ arrival, ...visit }) => {
      const keys = keysOfDeferred(visit)
      return keys ? askedOf(keys, arrival) : []
    }),
  )
  const released = await takeReleased(cached, taken, { dedup: visiting, filter, replays, firsts })
  const fromDeferred = released.arrivals
  const fromBirds = await takeBirdBatches(
    tx,
    birds.map(({ batch }) => batch),
  )
  const fromTokens = await takeTokenVisits(
    cached,
    tokens.map(({ visit }) => visit),
    { dedup: visiting, loadVisits, filter, numbers, replays, firsts },
  )
  const fromProviders = await takeProviderBatches(
    tx,
    cached,
    ofProviders.map(({ provider }) => provider),
    { filter, firsts },
  )
  const tokenArrivals = [...fromDeferred, ...fromTokens.arrivals, ...fromProviders.arrivals]
  const birdArrivals = fromBirds.arrivals.filter((arrival) => filter.judge(arrival) === 'raised')
  const consoleArrivals = ofConsole.map((item) => consoleArrival(item.console))
  const scans = await consolidateScans(tx, [...fromDeferred, ...birdArrivals])
  const undescribed = [...fromDeferred, ...birdArrivals, ...fromTokens.arrivals, ...fromProviders.arrivals]
  undescribed.push(...consoleArrivals, ...scans)
  const arrivals = sourceDescriber?.describe(undescribed) ?? undescribed
  const created = await raise(tx, arrivals, raising)
  await amendEvents(tx, [...released.amendments, ...fromTokens.amendments])
  await replays.store()
  await storedVisits.store(tx, visiting)
  await firsts.store()
  await countTokens(tx, tokenArrivals)
  const lookUp = await deferred.defer(tx, filter.deferred, lists.hosts)

  return () => {
    visiting.commit()
    cached.commit()
    numbers.commit()
    for (const { list } of filter.ignored) onIgnored(list)
    ignoredTouches.add(filter.ignored)
    quietTouches.add([...fromTokens.quiet, ...fromProviders.quiet], fromTokens.fired)
    refusedEvents.report(fromBirds.refused)
    birds.forEach((item, index) => item.done(fromBirds.storedUpTo[index] ?? 0))
    tokens.forEach((item, index) =>
      item.done(fromTokens.outcomes[index] ?? { kind: undefined, settings: {} }),
    )
    for (const item of [...ofConsole, ...ofProviders, ...releases]) item.done()
    lookUp()
    sourceDescriber?.lookUp(arrivals)
    if (created.length > 0) onRaised(created)
  }
}

const consoleArrival = ({ touch, subject, receivedAt }: ConsoleTouch): Arrival => ({
  touch,
  subject,
  receivedAt,
  logtype: logtypeOf(touch.logtype),
  late: false,
})

async function countTokens(tx: Tx, arrivals: readonly TokenArrival[]): Promise<void> {
  const touches = new Map<number, { n: number; at: number }>()
  for (const { token, receivedAt } of arrivals) {
    if (!token) continue
    const { n, at } = touches.get(token.number) ?? { n: 0, at: 0 }
    touches.set(token.number, { n: n + 1, at: Math.max(at, receivedAt) })
  }
  if (touches.size === 0) return
  const updated_id = await tx.updatedIds(1)
  await countTriggers(
    tx,
    Array.from(touches, ([number, { n, at }]) => ({
      ...{ number, updated_id },
      triggered_count: n,
      touched_at: at,
    })),
  )
}
