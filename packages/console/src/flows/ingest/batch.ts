// One batch of what came in, stored in one transaction.
import type { Base } from '../../base.ts'
import { versionIn } from '../../db/config-cache.ts'
import type { Tx } from '../../db/query.ts'
import { logtypeOf } from '../../logtypes.ts'
import { countTriggers } from '../../stores/tokens/store.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type Raising } from '../raise/raise.ts'
import { takeBirdBatches } from './birds.ts'
import type { Entry, OwnTouch } from './entry.ts'
import { loadIgnoring } from './ignore.ts'
import { takeTokenVisits } from './tokens.ts'
import type { Visits } from './visits.ts'

export interface Storing extends Pick<Base, 'config'> {
  readonly raising: Raising
  readonly visits: Visits
  /** Counts a touch that a list let pass in silence. */
  readonly onIgnored: (list: string) => void
  /** New incidents are committed. */
  readonly onRaised: (created: readonly NewIncident[]) => void
}

/** Stores the entries in their order; the answer settles their callers once the transaction is committed. */
export async function storeBatch(tx: Tx, entries: readonly Entry[], storing: Storing): Promise<() => void> {
  const { config, raising, visits, onIgnored, onRaised } = storing
  config.observe(await versionIn(tx))
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
  const ownArrivals = own.map((entry) => ownArrival(entry.own))
  const arrivals = [...fromBirds.arrivals.filter(counts), ...tokenArrivals, ...ownArrivals]
  const created = await raise(tx, arrivals, raising)
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

const ownArrival = ({ touch, subject, receivedAt }: OwnTouch): Arrival => ({
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
