// One batch of what came in, stored in one transaction.
import type { Base } from '../../base.ts'
import type { Tx } from '../../db/query.ts'
import { logtypeOf } from '../../logtypes.ts'
import { countTriggers } from '../../stores/tokens/store.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type Raising } from '../raise/raise.ts'
import { takeBirdBatches } from './birds.ts'
import type { Entry, OwnTouch } from './entry.ts'
import type { Holding } from './hold.ts'
import type { Ignoring } from './ignore.ts'
import type { TokenCache } from './token-cache.ts'
import { openSieve } from './sieve.ts'
import { takeReleased, takeTokenVisits, type TokenArrival } from './tokens.ts'
import type { VisitDedup } from './visit-dedup.ts'

export interface Storing extends Pick<Base, 'config'> {
  readonly raising: Raising
  readonly visits: VisitDedup
  readonly tokenCache: TokenCache
  /** The ignore lists as they stand. */
  readonly ignoring: () => Promise<Ignoring>
  readonly holding: Holding
  /** Counts a touch that a list let pass in silence. */
  readonly onIgnored: (list: string) => void
  /** New incidents are committed. */
  readonly onRaised: (created: readonly NewIncident[]) => void
}

/** Stores the entries in their order; the answer settles their callers once the transaction is committed. */
export async function storeBatch(tx: Tx, entries: readonly Entry[], storing: Storing): Promise<() => void> {
  const { config, raising, visits, tokenCache: knownTokens, holding, onIgnored, onRaised } = storing
  config.observe(tx.configVersion())
  const ignoring = await storing.ignoring()
  const birds = entries.filter((entry) => entry.type === 'bird')
  const tokens = entries.filter((entry) => entry.type === 'token')
  const own = entries.filter((entry) => entry.type === 'own')
  const released = entries.filter((entry) => entry.type === 'held')
  const visiting = visits.batch()
  const known = knownTokens.batch(tx)
  const sieve = openSieve(ignoring, holding)

  const taken = await holding.take(
    tx,
    released.flatMap(({ held }) => held.heldIds),
    released.some(({ held }) => held.isDefused),
  )
  const afterAll = await takeReleased(known, taken, visiting, sieve)
  const fromBirds = await takeBirdBatches(
    tx,
    birds.map(({ batch }) => batch),
  )
  const fromTokens = await takeTokenVisits(
    known,
    tokens.map(({ visit }) => visit),
    visiting,
    sieve,
  )
  const birdArrivals = fromBirds.arrivals.filter((arrival) => sieve.passes(arrival))
  const ownArrivals = own.map((entry) => ownArrival(entry.own))
  const arrivals = [...afterAll, ...birdArrivals, ...fromTokens.arrivals, ...ownArrivals]
  const created = await raise(tx, arrivals, raising)
  await countTokens(tx, [...afterAll, ...fromTokens.arrivals])
  const lookUp = await holding.hold(tx, sieve.held, ignoring.hosts)

  return () => {
    visiting.commit()
    known.commit()
    for (const list of sieve.ignored) onIgnored(list)
    birds.forEach((entry, index) => entry.done(fromBirds.storedUpTo[index] ?? 0))
    tokens.forEach((entry, index) =>
      entry.done(fromTokens.outcomes[index] ?? { kind: undefined, settings: {} }),
    )
    for (const entry of own) entry.done()
    for (const entry of released) entry.done()
    lookUp()
    if (created.length > 0) onRaised(created)
  }
}

const ownArrival = ({ touch, subject, receivedAt }: OwnTouch): Arrival => ({
  touch,
  subject,
  receivedAt,
  logtype: logtypeOf(touch.logtype),
  late: false,
})

async function countTokens(tx: Tx, arrivals: readonly TokenArrival[]): Promise<void> {
  const touches = new Map<number, number>()
  for (const { token } of arrivals) if (token) touches.set(token.number, (touches.get(token.number) ?? 0) + 1)
  if (touches.size === 0) return
  const updated_id = await tx.updatedIds(1)
  await countTriggers(
    tx,
    Array.from(touches, ([number, triggered_count]) => ({ number, triggered_count, updated_id })),
  )
}
