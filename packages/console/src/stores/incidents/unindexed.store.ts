// Incidents that are in no block of the search index yet: read as they are, in short stretches.
import type { EngineName, Query, Scope } from '../../db/query.ts'
import { matchingStretch, type IncidentFilter, type IncidentRow } from './filter.store.ts'

const STRETCH = 8_192

export type FoundRow = Pick<IncidentRow, 'incident_id' | 'created_at' | 'src_host'>

/** Those of them that match, by rising number. */
export async function* unindexed(
  { query, engine }: { readonly query: Query; readonly engine: EngineName },
  scope: Scope,
  filter: IncidentFilter,
  behind: number,
): AsyncGenerator<readonly FoundRow[]> {
  for (let after = behind; ;) {
    // Numbers leap: each stretch begins with an incident that exists.
    const left = await query
      .selectFrom('incident')
      .select((e) => [e.fn.min('incident_id').as('first'), e.fn.max('incident_id').as('last')])
      .where('incident_id', '>', after)
      .executeTakeFirst()
    if (!left?.first) return
    const before = left.first - 1
    after = before + STRETCH
    yield await matchingStretch(query, engine, scope, filter, before, after)
      .select(['incident_id', 'created_at', 'src_host'])
      .orderBy('incident_id')
      .execute()
    if (left.last <= after) return
  }
}
