// Ingest: everything that was touched while one transaction is being written goes into the next, as one batch.
import { batcher } from '@rookery/kernel/batcher.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Base } from '../../base.ts'
import { lateTransaction, type LateTransaction } from '../../db/late-transaction.ts'
import type { Tx } from '../../db/query.ts'
import { storeBatch, type Storing } from './batch.ts'
import { sanitizedEntry, splitEntry } from './sanitize-touch.ts'
import { openHolding } from './hold.ts'
import { openIgnoring } from './ignore.ts'
import type { BirdBatch, Entry, OwnTouch, TokenOutcome, TokenVisit } from './entry.ts'
import { openTokenCache } from './token-cache.ts'
import { visitDedup } from './visit-dedup.ts'

export interface Ingest {
  /** Stores a batch; resolves, after the commit, with the number up to which the spool is stored. */
  fromBird(batch: BirdBatch): Promise<number>
  /** Stores a visit; resolves after the commit. Rejects with `unavailable` while the disk is full or the database away. */
  fromToken(visit: TokenVisit): Promise<TokenOutcome>
  fromConsole(own: OwnTouch): Promise<void>
  /** Looks up no more names. */
  stop(): void
}

export interface Ingesting
  extends
    Omit<Storing, 'visits' | 'tokenCache' | 'ignoring' | 'holding'>,
    Pick<Base, 'reader' | 'writer' | 'world' | 'log'> {}

/** A transaction blocks the thread: no more than this, however much waits. */
const TOUCHES_PER_BATCH = 256

export function openIngest({ writer, log, reader, world, ...ingesting }: Ingesting): Ingest {
  const ignoring = openIgnoring(ingesting.config)
  const holding = openHolding({
    reader,
    world,
    log,
    ignoring,
    release: (heldIds) =>
      submit((done) => ({ type: 'held', held: { heldIds, isDefused: false }, done: () => done(undefined) })),
  })
  const storing: Storing = {
    ...ingesting,
    visits: visitDedup(),
    tokenCache: openTokenCache(),
    ignoring,
    holding,
  }
  const store = (tx: Tx, entries: readonly Entry[]): Promise<() => void> => storeBatch(tx, entries, storing)

  let transaction: LateTransaction<Entry, () => void>
  const queue = batcher<Entry, void>({
    max: TOUCHES_PER_BATCH,
    weigh: touchesIn,
    gather() {
      transaction = lateTransaction(writer, 'ingest', store)
      return transaction.begun
    },
    async flush(entries) {
      try {
        settle(await transaction.commit(entries))
        return entries.map(() => undefined)
      } catch (error) {
        if (isOutage(error)) throw error
        log.error(
          { err: error, touches: entries.length },
          'a batch was refused; storing its touches one by one',
        )
        return storeApart(entries)
      }
    },
  })

  /** One bad touch: the others must not suffer for it. */
  async function storeApart(entries: readonly Entry[]): Promise<(Promise<never> | undefined)[]> {
    const failures: (Error | undefined)[] = []
    for (const entry of entries) failures.push(await storePieces(entry))
    return failures.map((failure) => failure && Promise.reject(failure))
  }

  async function storePieces(entry: Entry): Promise<Error | undefined> {
    try {
      for (const piece of splitEntry(entry)) await storeAlone(piece)
      return undefined
    } catch (error) {
      return error as Error
    }
  }

  async function storeAlone(entry: Entry): Promise<void> {
    const write = (one: Entry): Promise<() => void> => writer.write((tx) => store(tx, [one]), 'ingest')
    const stored = await write(entry).catch((error: unknown) => {
      if (isOutage(error)) throw error
      log.error({ err: error }, 'a touch was refused; storing it sanitized')
      return write(sanitizedEntry(entry))
    })
    settle(stored)
  }

  /** What is stored is stored, whatever fails after the commit. */
  function settle(stored: () => void): void {
    try {
      stored()
    } catch (error) {
      log.error({ err: error }, 'ingest failed after the commit')
    }
  }

  async function submit<T>(make: (done: (value: T) => void) => Entry): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>()
    await queue.add(make(resolve))
    return promise
  }

  return {
    stop: holding.stop,
    fromBird: (batch) => submit((done) => ({ type: 'bird', batch, done })),
    fromToken: (visit) => submit((done) => ({ type: 'token', visit, done })),
    fromConsole: (own) => submit((done) => ({ type: 'own', own, done: () => done() })),
  }
}

/** An outage is the callers' to wait out. */
const isOutage = (error: unknown): boolean => error instanceof Fault && error.code === 'unavailable'

function touchesIn(entry: Entry): number {
  if (entry.type === 'bird') return entry.batch.events.length
  return entry.type === 'held' ? entry.held.heldIds.length : 1
}
