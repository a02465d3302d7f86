// When Birds were silent: the incident of a return says in its key since when (flows/liveness/outages.ts).
import type { Engine } from '../../db/engine.ts'
import type { Scope } from '../../db/query.ts'
import { keysOfSource } from './aggregation.ts'
import { nonEmpty } from './filter.store.ts'

export interface Outage {
  readonly node_id: string
  readonly name: string
  readonly flock_id: string
  /** When it was last heard, and when it was back; milliseconds. */
  readonly from: number
  readonly to: number
}

/** The newest are looked at. */
export const MAX_OUTAGES = 10_000

const RETURN = /\|online\/(\d+)\|\d+$/

/** Those that ended after this, in these Flocks, deleted incidents included; the newest first. */
export async function endedOutages(
  engine: Engine,
  scope: Scope,
  { endedAfter, flockId }: { readonly endedAfter: number; readonly flockId?: string },
): Promise<Outage[]> {
  const { from, below } = keysOfSource('')
  let query = engine.reader
    .selectFrom('incident_of_node')
    .select(['node_id', 'name', 'flock_id', 'created_at', 'agg_key'])
    .where('agg_key', '>=', from)
    .where('agg_key', '<', below)
    .where('agg_key', 'like', '%|online/%')
    .where('created_at', '>', endedAfter)
  if (scope !== 'all') query = query.where('flock_id', 'in', nonEmpty(scope))
  if (flockId !== undefined) query = query.where('flock_id', '=', flockId)
  // Outages that a report counts: the rest is said to be more.
  const rows = await engine.longRead(query.orderBy('created_at', 'desc').limit(MAX_OUTAGES).compile())
  return rows.flatMap(({ agg_key, created_at, ...bird }) => {
    const [, since] = RETURN.exec(agg_key) ?? []
    return since === undefined ? [] : [{ ...bird, from: Number(since), to: created_at }]
  })
}
