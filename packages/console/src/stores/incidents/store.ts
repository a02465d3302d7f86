// Single incidents.
import { inList } from '../../db/in-list.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import type { IncidentRow } from './filter.store.ts'

/** A key or a hash id: both carry the incident's number. */
export type IncidentName = { readonly key: string } | { readonly hashId: string }

/** Undefined for what is no such name. */
export const incidentNumber = (names: IncidentNames, by: IncidentName): number | undefined =>
  'key' in by ? names.fromKey(by.key) : names.fromHashId(by.hashId)

/** Whether it is what was asked for, may be seen, and is not deleted. */
export const isShown = (row: IncidentRow, scope: Scope, by: IncidentName): boolean =>
  row.deleted_at === null &&
  (!('key' in by) || row.incident_key === by.key) &&
  (scope === 'all' || scope.includes(row.flock_id))

export async function findIncident(
  db: Query,
  names: IncidentNames,
  scope: Scope,
  by: IncidentName,
): Promise<IncidentRow | undefined> {
  const incidentId = incidentNumber(names, by)
  if (incidentId === undefined) return undefined
  const row = await db
    .selectFrom('incident')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .executeTakeFirst()
  return row && isShown(row, scope, by) ? row : undefined
}

/** The keys of these incidents, by rising number. */
export async function incidentKeys(
  db: Query,
  engine: EngineName,
  incidentIds: readonly number[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('incident_fact')
    .select('incident_key')
    .where(inList(engine, 'incident_id', incidentIds))
    .orderBy('incident_id')
    .execute()
  return rows.map((row) => row.incident_key)
}
