// The touches of a token, newest first, in one order: events of its incidents, and touches that raised none.
import { sql } from 'kysely'
import { inList } from '../../db/in-list.ts'
import type { Engine } from '../../db/engine.ts'
import type { Scope } from '../../db/query.ts'
import { withinTime } from '../../db/time-limit.ts'
import { stateConditions } from '../incidents/filter.store.ts'

/** The place of a touch in the history: numbers of incidents and of quiet touches are never the same. */
export interface TouchPosition {
  readonly at: number
  readonly id: number
  /** Which event of its incident; 0 for a quiet touch. */
  readonly nth: number
}

export interface StoredTouch extends TouchPosition {
  /** Key of its incident; null for a quiet touch. */
  readonly incident: string | null
  /** Why it raised none; absent otherwise. */
  readonly reason?: string
  /** The event, as JSON. */
  readonly body: string
}

/** An incident of a token; none of its events is later than `last_at`. */
export interface TouchedIncident {
  readonly incident_id: number
  readonly last_at: number
}

type Reader = Pick<Engine, 'name' | 'reader' | 'longRead'>

/** The newest incidents of a token by their last touch, at most `most`. Deleted ones are left out. */
export const incidentsOfToken = (
  { name, reader, longRead }: Reader,
  { scope, tokenId }: { readonly scope: Scope; readonly tokenId: string },
  most: number,
): Promise<TouchedIncident[]> =>
  longRead(
    reader
      .selectFrom('incident_state')
      .select(['incident_id', 'last_at'])
      .where((e) => e.and(stateConditions(scope, {}, name === 'sqlite' ? 'table' : 'any')))
      .where(withinTime(name, 'incident_id'))
      .where('text_id', 'in', (e) =>
        e.selectFrom('search_text').select('text_id').where('node_id', '=', tokenId),
      )
      .orderBy('last_at', 'desc')
      .orderBy('incident_id', 'desc')
      .limit(most)
      .compile(),
  )

/** The newest events of these incidents before a position, at most `limit`. */
export function eventsBefore(
  { name, reader, longRead }: Reader,
  incidentIds: readonly number[],
  before: TouchPosition | undefined,
  limit: number,
): Promise<StoredTouch[]> {
  let query = reader
    .selectFrom('incident_event as e')
    .innerJoin('incident_fact as f', 'f.incident_id', 'e.incident_id')
    .select(['e.at', 'e.incident_id as id', 'e.nth', 'f.incident_key as incident', 'e.body'])
    .where(inList(name, 'e.incident_id', incidentIds))
  if (before)
    query = query.where(
      sql<boolean>`(e.at, e.incident_id, e.nth) < (${before.at}, ${before.id}, ${before.nth})`,
    )
  const sorted = query.orderBy('e.at', 'desc').orderBy('e.incident_id', 'desc').orderBy('e.nth', 'desc')
  return longRead(sorted.limit(limit).compile())
}
