// Single incidents, their history, and the counts that are kept.
import type { Query, Scope } from '../../db/query.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import { incidentsOfSource, type IncidentRow } from './filter.store.ts'

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

/** What a source did before, oldest first, deleted incidents too; at most `limit`, the newest. */
export async function sourceHistory(
  db: Query,
  scope: Scope,
  by: { readonly srcHost?: string; readonly flockId?: string },
  limit: number,
): Promise<IncidentRow[]> {
  let q = db
    .selectFrom('incident')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('incident_key', 'desc')
    .limit(limit)
  if (scope !== 'all') q = q.where('flock_id', 'in', scope.length > 0 ? [...scope] : [''])
  if (by.srcHost !== undefined) q = q.where('incident_id', 'in', incidentsOfSource(db, by.srcHost))
  if (by.flockId !== undefined) q = q.where('flock_id', '=', by.flockId)
  return (await q.execute()).reverse()
}
