// Single incidents.
import { among } from '../../db/among.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
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
  // At once, and cheaper to plan than the view: facts do not change between the two.
  const [fact, state] = await Promise.all([
    db.selectFrom('incident_fact').selectAll().where('incident_id', '=', incidentId).executeTakeFirst(),
    db.selectFrom('incident_state').selectAll().where('incident_id', '=', incidentId).executeTakeFirst(),
  ])
  if (!fact || !state || state.deleted_at !== null) return undefined
  if ('key' in by && fact.incident_key !== by.key) return undefined
  return scope === 'all' || scope.includes(state.flock_id) ? { ...fact, ...state } : undefined
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
    .where(among(engine, 'incident_id', incidentIds))
    .orderBy('incident_id')
    .execute()
  return rows.map((row) => row.incident_key)
}
