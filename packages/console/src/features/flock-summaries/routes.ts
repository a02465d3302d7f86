// Extension: counts of a Flock's Birds, tokens and incidents; and Flocks found by a part of their name.
import { flockSummaries } from '@rookery/contract/groups/flock-summaries.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { countBirdsByFlock } from '../../stores/birds/flock-counts.store.ts'
import { existingFlock, listFlocks, type Flock } from '../../stores/flocks/store.ts'
import { unacknowledgedByFlock } from '../../stores/incidents/counts.store.ts'
import { noCounts, openByFlock, type LevelCounts } from '../../stores/incidents/level-counts.store.ts'
import { countTokensByFlock } from '../../stores/tokens/flock-counts.store.ts'

export const flockSummariesRoutes = ({
  engine,
  reader,
}: Pick<AppContext, 'engine' | 'reader'>): Route<Call>[] =>
  implement(flockSummaries, {
    async one({ flock_id, open_by_level }, { caller }: Call) {
      const flock = await existingFlock(reader, caller.scope, flock_id)
      const levels = open_by_level ? await openByFlock(engine, [flock_id]) : undefined
      return { flock_summary: (await openSummary(reader, levels, flock_id))(flock) }
    },
    async all({ open_by_level }, { caller }: Call) {
      const flocks = await listFlocks(reader, caller.scope)
      const levels = open_by_level
        ? await openByFlock(
            engine,
            flocks.map(({ flock_id }) => flock_id),
          )
        : undefined
      const summary = await openSummary(reader, levels)
      return { flocks_summary: Object.fromEntries(flocks.map((flock) => [flock.flock_id, summary(flock)])) }
    },
    async filter({ filter_str = '' }, { caller }: Call) {
      const wanted = filter_str.toLowerCase()
      const flocks = (await listFlocks(reader, caller.scope)).filter(({ flock_id, name, note }) =>
        [flock_id, name, note].some((known) => known.toLowerCase().includes(wanted)),
      )
      return { flocks: flocks.map(({ flock_id, name, note }) => ({ flock_id, name, note })) }
    },
  })

/** Counts everything in three queries; the answer makes the summary of each Flock. */
async function openSummary(
  db: Query,
  levels: ReadonlyMap<string, LevelCounts> | undefined,
  flockId?: string,
) {
  const [birds, tokens, incidents] = await Promise.all([
    countBirdsByFlock(db, flockId),
    countTokensByFlock(db, flockId),
    unacknowledgedByFlock(db, flockId),
  ])
  return ({ flock_id, name }: Flock) => ({
    name,
    ...(birds.get(flock_id) ?? { birds: 0, live: 0, dead: 0 }),
    tokens: tokens.get(flock_id) ?? 0,
    incidents_unacknowledged: incidents.get(flock_id) ?? 0,
    ...(levels && { open_by_level: levels.get(flock_id) ?? noCounts() }),
  })
}
