// Single incidents.
import type { Query, Scope } from '../../db/query.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import type { IncidentRow } from './filter.store.ts'

/** By key or by hash id, which both carry the incident's number; deleted ones are gone. */
export async function findIncident(
  db: Query,
  names: IncidentNames,
  scope: Scope,
  by: { readonly key: string } | { readonly hashId: string },
): Promise<IncidentRow | undefined> {
  const incidentId = 'key' in by ? names.fromKey(by.key) : names.fromHashId(by.hashId)
  if (incidentId === undefined) return undefined
  const row = await db
    .selectFrom('incident')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if ('key' in by && row?.incident_key !== by.key) return undefined
  return row && (scope === 'all' || scope.includes(row.flock_id)) ? row : undefined
}
