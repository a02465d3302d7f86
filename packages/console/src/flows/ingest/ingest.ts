// Ingest: everything that was touched while one transaction is being written goes into the next, as one batch.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Base } from '../../base.ts'
import { storeBatch, type Storing } from './batch.ts'
import { defused, pieces } from './defuse.ts'
import { openHolding } from './hold.ts'
import { openIgnoring } from './ignore.ts'
import type { BirdBatch, Entry, OwnTouch, TokenOutcome, TokenVisit } from './entry.ts'
import { openKnownTokens } from './known-tokens.ts'
import { openVisits } from './visits.ts'

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
    Omit<Storing, 'visits' | 'knownTokens' | 'ignoring' | 'holding'>,
    Pick<Base, 'reader' | 'writer' | 'world' | 'log'> {}

/** A transaction blocks the thread: no more than this, however much waits. */
const TOUCHES_PER_BATCH = 256

interface Waiting {
  readonly entry: Entry
  readonly reject: (reason: unknown) => void
}

export function openIngest({ writer, log, reader, world, ...ingesting }: Ingesting): Ingest {
  let waiting: Waiting[] = []
  let scheduled = false
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
    visits: openVisits(),
    knownTokens: openKnownTokens(),
    ignoring,
    holding,
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    let taken: Waiting[] = []
    writer
      .write((tx) => {
        // Taken when the transaction begins, not when it was asked for; a second try takes the same.
        if (taken.length === 0) {
          taken = take()
          scheduled = false
          if (waiting.length > 0) schedule()
        }
        return storeBatch(
          tx,
          taken.map(({ entry }) => entry),
          storing,
        )
      }, 'ingest')
      .then(
        (settle) => settle(),
        (reason: unknown) => {
          if (taken.length === 0) {
            taken = waiting
            waiting = []
            scheduled = false
          }
          return failed(taken, reason)
        },
      )
      .catch((error: unknown) => log.error({ err: error }, 'ingest failed'))
  }

  /** As many entries as make a batch; at least one. */
  function take(): Waiting[] {
    let touches = 0
    const end = waiting.findIndex(({ entry }) => {
      touches += sizeOf(entry)
      return touches > TOUCHES_PER_BATCH
    })
    const taken = end < 0 ? waiting : waiting.slice(0, Math.max(1, end))
    waiting = waiting.slice(taken.length)
    return taken
  }

  /** An outage is the callers' to wait out. Anything else is one bad touch: the others must not suffer for it. */
  async function failed(taken: readonly Waiting[], reason: unknown): Promise<void> {
    if (reason instanceof Fault && reason.code === 'unavailable') {
      for (const { reject } of taken) reject(reason)
      return
    }
    log.error({ err: reason, touches: taken.length }, 'a batch was refused; storing its touches one by one')
    for (const { entry, reject } of taken) {
      try {
        for (const piece of pieces(entry)) await storeAlone(piece)
      } catch (error) {
        reject(error)
      }
    }
  }

  async function storeAlone(entry: Entry): Promise<void> {
    const store = (it: Entry): Promise<() => void> =>
      writer.write((tx) => storeBatch(tx, [it], storing), 'ingest')
    const settle = await store(entry).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unavailable') throw error
      log.error({ err: error }, 'a touch was refused; storing it defused')
      return store(defused(entry))
    })
    settle()
  }

  function submit<T>(make: (done: (value: T) => void) => Entry): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ entry: make(resolve), reject })
      schedule()
    })
  }

  return {
    stop: holding.stop,
    fromBird: (batch) => submit((done) => ({ type: 'bird', batch, done })),
    fromToken: (visit) => submit((done) => ({ type: 'token', visit, done })),
    fromConsole: (own) => submit((done) => ({ type: 'own', own, done: () => done() })),
  }
}

function sizeOf(entry: Entry): number {
  if (entry.type === 'bird') return entry.batch.events.length
  return entry.type === 'held' ? entry.held.heldIds.length : 1
}
