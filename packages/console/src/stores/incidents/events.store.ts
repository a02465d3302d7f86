// The kept events of incidents.
import { sql } from 'kysely'
import { inList } from '../../db/in-list.ts'
import type { EngineName, Query } from '../../db/query.ts'

export interface KeptEvent {
  readonly incident_id: number
  readonly nth: number
  readonly at: number
  readonly body: string
}

/** Kept events of each incident, oldest first; with `newest` only so many of each, the last ones. */
export async function eventsOf(
  db: Query,
  engine: EngineName,
  incidentIds: readonly number[],
  newest?: number,
): Promise<Map<number, KeptEvent[]>> {
  const byIncident = new Map<number, KeptEvent[]>(incidentIds.map((id) => [id, []]))
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
