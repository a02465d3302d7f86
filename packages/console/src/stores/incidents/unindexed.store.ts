// Incidents that are in no block of the search index yet: read as they are, in short stretches.
import type { EngineName, Query, Scope } from '../../db/query.ts'
import { matchingStretch, type IncidentFilter, type IncidentRow } from './filter.store.ts'

const STRETCH = 8_192

export type FoundRow = Pick<IncidentRow, 'incident_id' | 'created_at' | 'src_host'>

const endsBehind = (query: Query, after: number) =>
  query
    .selectNoFrom((e) => {
      const behind = e.selectFrom('incident').where('incident_id', '>', after)
      return [
        behind.select((it) => it.fn.min('incident_id').as('id')).as('first'),
        behind.select((it) => it.fn.max('incident_id').as('id')).as('last'),
      ]
    })
    .executeTakeFirstOrThrow()

/** Those of them that match, by rising number. */
export async function* unindexed(
  { query, engine }: { readonly query: Query; readonly engine: EngineName },
  scope: Scope,
  filter: IncidentFilter,
  behind: number,
): AsyncGenerator<readonly FoundRow[]> {
  for (let after = behind; ;) {
    // Numbers leap: each stretch begins with an incident that exists. Asked for one by one, each is a look-up.
    const { first, last } = await endsBehind(query, after)
    if (first === null || last === null) return
    const before = first - 1
    after = before + STRETCH
    yield await matchingStretch(query, engine, scope, filter, before, after)
      .select(['incident_id', 'created_at', 'src_host'])
      .orderBy('incident_id')
      .execute()
    if (last <= after) return
  }
}
