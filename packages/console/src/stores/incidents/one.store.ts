// Incidents by key, hash id or number: whole rows, keys, events.
import { sql } from 'kysely'
import { inList } from '../../db/in-list.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import type { IncidentRow } from './filter.store.ts'

/** A key or a hash id: both carry the incident's number. */
export type IncidentName = { readonly key: string } | { readonly hashId: string }

/** Undefined if the key or hash id is malformed. */
export const incidentNumber = (names: IncidentNames, by: IncidentName): number | undefined =>
  'key' in by ? names.fromKey(by.key) : names.fromHashId(by.hashId)

/** Whether the row has the key asked for, is in scope, and is not deleted. */
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

/** Whole incidents by their number. */
export async function incidentsById(
  db: Query,
  engine: EngineName,
  incidentIds: readonly number[],
): Promise<Map<number, IncidentRow>> {
  if (incidentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('incident')
    .selectAll()
    .where(inList(engine, 'incident_id', incidentIds))
    .execute()
  return new Map(rows.map((row) => [row.incident_id, row]))
}

export interface StoredEvent {
  readonly incident_id: number
  readonly nth: number
  readonly at: number
  readonly body: string
}

/** Stored events of each incident, oldest first; with `newest`, at most so many of each, the last ones. */
export async function eventsOf(
  db: Query,
  engine: EngineName,
  incidentIds: readonly number[],
  newest?: number,
): Promise<Map<number, StoredEvent[]>> {
  const byIncident = new Map<number, StoredEvent[]>(incidentIds.map((id) => [id, []]))
  if (incidentIds.length === 0 || newest === 0) return byIncident
  let q = db
    .selectFrom('incident_event as e')
    .select(['e.incident_id', 'e.nth', 'e.at', 'e.body'])
    .where(inList(engine, 'e.incident_id', incidentIds))
  if (newest !== undefined) {
    q = q
      .innerJoin('incident_state as i', 'i.incident_id', 'e.incident_id')
      .where(sql<boolean>`e.nth > i.events_count - ${newest}`)
  }
  const rows = await q.execute()
  for (const row of rows) byIncident.get(row.incident_id)?.push(row)
  for (const events of byIncident.values()) events.sort((a, b) => a.nth - b.nth)
  return byIncident
}
