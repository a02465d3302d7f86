// Ingest: everything that was touched while one transaction is being written goes into the next, as one batch.
import type { Base } from '../../base.ts'
import { readVersion } from '../../db/config-cache.ts'
import type { Tx } from '../../db/query.ts'
import { logtypeOf } from '../../logtypes.ts'
import { countTriggers } from '../../stores/tokens/store.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type Raising } from '../raise/raise.ts'
import { takeBirdBatches } from './birds.ts'
import type { BirdBatch, Entry, OwnTouch, TokenOutcome, TokenVisit } from './entry.ts'
import { loadIgnoring } from './ignore.ts'
import { takeTokenVisits } from './tokens.ts'
import { openVisits } from './visits.ts'

export interface Ingest {
  /** Stores a batch; resolves, after the commit, with the number up to which the spool is stored. */
  fromBird(batch: BirdBatch): Promise<number>
  /** Stores a visit; resolves after the commit. Rejects with `unavailable` while the disk is full or the database away. */
  fromToken(visit: TokenVisit): Promise<TokenOutcome>
  fromConsole(own: OwnTouch): Promise<void>
}

export interface Ingesting extends Pick<Base, 'writer' | 'config' | 'log'> {
  readonly raising: Raising
  /** Counts a touch that a list let pass in silence. */
  readonly onIgnored: (list: string) => void
  /** New incidents are committed. */
  readonly onRaised: (created: readonly NewIncident[]) => void
}

const ENTRIES_PER_BATCH = 512

interface Waiting {
  readonly entry: Entry
  readonly reject: (reason: unknown) => void
}

export function openIngest({ writer, config, raising, onIgnored, onRaised }: Ingesting): Ingest {
  const visits = openVisits()
  let waiting: Waiting[] = []
  let scheduled = false

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    let taken: Waiting[] = []
    writer
      .write(async (tx) => {
        // Taken when the transaction begins, not when it was asked for; a second try takes the same.
        if (taken.length === 0) {
          taken = waiting.slice(0, ENTRIES_PER_BATCH)
          waiting = waiting.slice(ENTRIES_PER_BATCH)
          scheduled = false
          if (waiting.length > 0) schedule()
        }
        return store(
          tx,
          taken.map(({ entry }) => entry),
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
          for (const { reject } of taken) reject(reason)
        },
      )
  }

  /** Stores one batch; the answer settles the callers once it is committed. */
  async function store(tx: Tx, entries: readonly Entry[]): Promise<() => void> {
    config.observe(await readVersion(tx.query))
    const ignoring = await loadIgnoring(config)
    const birds = entries.filter((entry) => entry.type === 'bird')
    const tokens = entries.filter((entry) => entry.type === 'token')
    const own = entries.filter((entry) => entry.type === 'own')
    const visiting = visits.batch()

    const fromBirds = await takeBirdBatches(
      tx,
      birds.map(({ batch }) => batch),
    )
    const fromTokens = await takeTokenVisits(
      tx,
      tokens.map(({ visit }) => visit),
      // Who is ignored has not visited: once he counts, his next request does.
      (it) => ignoring(it.visit.srcHost, it.visit.dstPort) === undefined && visiting.repeated(it),
    )
    const ignored: string[] = []
    const counts = (arrival: Arrival): boolean => {
      const list = ignoring(arrival.touch.srcHost, arrival.touch.dstPort)
      if (list !== undefined) ignored.push(list)
      return list === undefined
    }
    const tokenArrivals = fromTokens.arrivals.filter(counts)
    const ownArrivals = own.map(({ own: { touch, subject, receivedAt } }) =>
      ownArrival(touch, subject, receivedAt),
    )
    const created = await raise(
      tx,
      [...fromBirds.arrivals.filter(counts), ...tokenArrivals, ...ownArrivals],
      raising,
    )
    await countTokens(tx, tokenArrivals)

    return () => {
      visiting.commit()
      for (const list of ignored) onIgnored(list)
      birds.forEach((entry, index) => entry.done(fromBirds.storedUpTo[index] ?? 0))
      tokens.forEach((entry, index) =>
        entry.done(fromTokens.outcomes[index] ?? { kind: undefined, settings: {} }),
      )
      for (const entry of own) entry.done()
      if (created.length > 0) onRaised(created)
    }
  }

  function submit<T>(make: (done: (value: T) => void) => Entry): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ entry: make(resolve), reject })
      schedule()
    })
  }

  return {
    fromBird: (batch) => submit((done) => ({ type: 'bird', batch, done })),
    fromToken: (visit) => submit((done) => ({ type: 'token', visit, done })),
    fromConsole: (own) => submit((done) => ({ type: 'own', own, done: () => done() })),
  }
}

const ownArrival = (touch: OwnTouch['touch'], subject: OwnTouch['subject'], receivedAt: number): Arrival => ({
  touch,
  subject,
  receivedAt,
  logtype: logtypeOf(touch.logtype),
  late: false,
})

async function countTokens(
  tx: Tx,
  arrivals: Awaited<ReturnType<typeof takeTokenVisits>>['arrivals'],
): Promise<void> {
  const counted = new Map<string, { token_id: string; triggered_count: number; updated_id: number }>()
  const updatedId = arrivals.length > 0 ? await tx.updatedIds(1) : 0
  for (const { token } of arrivals) {
    if (!token) continue
    const before = counted.get(token.token_id)?.triggered_count ?? token.triggered_count
    counted.set(token.token_id, {
      token_id: token.token_id,
      triggered_count: before + 1,
      updated_id: updatedId,
    })
  }
  await countTriggers(tx, [...counted.values()])
}
