// Ingest: everything that was touched while one transaction is being written goes into the next, as one batch.
import type { Logger } from 'pino'
import { batcher, type Batcher } from '@rookery/kernel/batcher.ts'
import { withoutSessionCookies } from '@rookery/kernel/session-cookie.ts'
import { channelOf } from '@rookery/tokens/visit.ts'
import type { AppContext } from '../../app-context.ts'
import { lateTransaction, type LateTransaction } from '../../db/late-transaction.ts'
import type { Tx } from '../../db/query.ts'
import { allArrived } from './all-arrived.ts'
import { storeBatch } from './batch.ts'
import type { StoreBatchDeps } from './stage.ts'
import { openTouchPositions } from '../../stores/touches/positions.store.ts'
import { openDeferredTouches } from './filters/deferred-touches.ts'
import { openIgnoredTouches } from './filters/ignored-touches.ts'
import { openQuietTouches } from './filters/quiet-touches.ts'
import { openIgnoreLists } from './filters/ignore-lists.ts'
import type {
  BirdBatch,
  ConsoleTouch,
  IngestItem,
  ProviderBatch,
  TokenOutcome,
  TokenVisit,
} from './ingest-item.ts'
import { judging } from './tokens/judging.ts'
import { openTokenCache } from './tokens/token-cache.ts'
import type { RefusalReason } from './birds/check-event.ts'
import { openRefusedEvents } from './birds/refused-events.ts'
import { isOutage, storeApart } from './store-apart.ts'
import { openStoredVisits } from './filters/stored-visits.ts'
import { visitDedup } from './filters/visit-dedup.ts'

export interface Ingest {
  /** Stores a batch; resolves, after the commit, with the number up to which the spool is stored. */
  fromBird(batch: BirdBatch): Promise<number>
  /** Stores a visit; resolves after the commit. Rejects with `unavailable` while the disk is full or the database away. */
  fromToken(visit: TokenVisit): Promise<TokenOutcome>
  fromConsole(touch: ConsoleTouch): Promise<void>
  /** Stores what a provider reported; resolves after the commit. */
  fromProvider(batch: ProviderBatch): Promise<void>
  /** Looks up no more names, and keeps for the next start which visits go on. */
  stop(): Promise<void>
}

export interface IngestDeps
  extends
    Omit<
      StoreBatchDeps,
      | 'visits'
      | 'storedVisits'
      | 'positions'
      | 'tokenCache'
      | 'ignoreLists'
      | 'ignoredTouches'
      | 'quietTouches'
      | 'deferred'
      | 'refusedEvents'
    >,
    Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world' | 'log' | 'background'> {
  /** Counts an event that its Bird cannot have seen. */
  readonly onRefused: (reason: RefusalReason) => void
}

/** A transaction blocks the thread: no more than this, however much waits. */
const TOUCHES_PER_BATCH = 256

export function openIngest({
  writer,
  log,
  reader,
  vault,
  world,
  background,
  onRefused,
  ...deps
}: IngestDeps): Ingest {
  const ignoreLists = openIgnoreLists(deps.config)
  const deferred = openDeferredTouches({
    reader,
    world,
    log,
    background,
    ignoreLists,
    release: (deferredIds) =>
      submit((done) => ({
        type: 'released',
        released: { deferredIds, isSanitized: false },
        done: () => done(undefined),
      })),
  })
  const ignoredTouches = openIgnoredTouches({ writer, world, log, background })
  const quietTouches = openQuietTouches({ writer, world, log, background })
  const visits = visitDedup()
  const storedVisits = openStoredVisits(visits, { writer, world, log })
  const tokenCache = openTokenCache({ vault, reader })
  const judge = judging(tokenCache)
  const storeDeps: StoreBatchDeps = {
    ...deps,
    refusedEvents: openRefusedEvents({ clock: world.clock, log, onRefused }),
    visits,
    storedVisits,
    positions: openTouchPositions(),
    tokenCache,
    ignoreLists,
    ignoredTouches,
    quietTouches,
    deferred,
  }
  const store = (tx: Tx, items: readonly IngestItem[]) => storeBatch(tx, items, storeDeps)

  let transaction: LateTransaction<IngestItem, () => void>
  const queue: Batcher<IngestItem, void> = batcher<IngestItem, void>({
    max: TOUCHES_PER_BATCH,
    weigh: touchesIn,
    async gather() {
      await allArrived(queue.waiting, TOUCHES_PER_BATCH)
      transaction = lateTransaction(writer, 'ingest', store)
      await transaction.begun
    },
    async flush(items) {
      try {
        settle(await transaction.commit(items), log)
        return items.map(() => undefined)
      } catch (error) {
        if (isOutage(error)) throw error
        log.error(
          { err: error, items: items.length },
          'could not store a batch; storing its touches one by one',
        )
        return storeApart(items, {
          write: (item) => writer.write((tx) => store(tx, [item]), 'ingest'),
          settle: (stored) => settle(stored, log),
          log,
        })
      }
    },
  })

  const submit = <T>(make: (done: (value: T) => void) => IngestItem): Promise<T> =>
    new Promise((resolve, reject) => void queue.add(make(resolve)).catch(reject))

  return {
    async stop() {
      deferred.stop()
      await Promise.all([ignoredTouches.stop(), quietTouches.stop(), storedVisits.stop()])
    },
    fromBird: (given) => {
      // Birds do so themselves, but for those of older releases.
      const batch = withoutSessionCookies(given)
      return submit((done) => ({ type: 'bird', batch, done }))
    },
    fromToken: (given) =>
      new Promise((resolve, reject) =>
        judge(
          given,
          (visit) =>
            void submit<TokenOutcome>((done) => ({ type: 'token', visit, done })).then(resolve, reject),
        ),
      ),
    fromProvider: (given) => {
      const provider = withoutSessionCookies(given)
      return submit((done) => ({ type: 'provider', provider, done: () => done() }))
    },
    fromConsole: (touch) => submit((done) => ({ type: 'console', console: touch, done: () => done() })),
  }
}

/** What is stored is stored, whatever fails after the commit. */
function settle(stored: () => void, log: Pick<Logger, 'error'>): void {
  try {
    stored()
  } catch (error) {
    log.error({ err: error }, 'ingest failed after its commit')
  }
}

function touchesIn(item: IngestItem): number {
  if (item.type === 'bird') return item.batch.events.length
  if (item.type === 'provider') return Math.max(1, item.provider.events.length)
  if (item.type === 'released') return item.released.deferredIds.length
  return item.type === 'token' ? (channelOf(item.visit.visit).weigh?.(item.visit.visit) ?? 1) : 1
}
