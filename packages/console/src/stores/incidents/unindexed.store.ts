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
  for (let after: number | undefined = behind; after !== undefined;) {
    const upTo: number = after + STRETCH
    const [rows, next]: [readonly FoundRow[], number | undefined] = await Promise.all([
      matchingStretch(query, engine, scope, filter, after, upTo)
        .select(['incident_id', 'created_at', 'src_host'])
        .orderBy('incident_id')
        .execute(),
      firstBehind(query, upTo),
    ])
    yield rows
    // Numbers leap: the next stretch begins with an incident that exists.
    after = next === undefined ? undefined : next - 1
  }
}

async function firstBehind(query: Query, after: number): Promise<number | undefined> {
  const row = await query
    .selectFrom('incident_state')
    .select('incident_id')
    .where('incident_id', '>', after)
    .orderBy('incident_id')
    .limit(1)
    .executeTakeFirst()
  return row?.incident_id
}
