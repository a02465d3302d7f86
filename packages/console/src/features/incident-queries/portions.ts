// The incidents of a page in portions, bounded by rows and by events, so that they fit into memory.
import type { EngineName, Query } from '../../db/query.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import { incidentsById } from '../../stores/incidents/one.store.ts'

/** Rows and events of one portion. */
const ROWS = 100
const EVENTS = 1_000
const STORED_EVENTS = 1_000

/** The incidents in the order given, without those that were deleted meanwhile. */
export async function* portions(
  db: Query,
  engine: EngineName,
  rows: readonly { readonly incident_id: number }[],
): AsyncGenerator<readonly IncidentRow[]> {
  for (let at = 0; at < rows.length; at += ROWS) {
    const ids = rows.slice(at, at + ROWS).map((row) => row.incident_id)
    const whole = await incidentsById(db, engine, ids)
    const found = ids.flatMap((id) => whole.get(id) ?? []).filter((row) => row.deleted_at === null)
    yield* byEvents(found)
  }
}

/** Begins a new portion before its events exceed the bound. */
export function* byEvents<Row extends { readonly events_count: number }>(
  rows: readonly Row[],
): Generator<readonly Row[]> {
  let portion: Row[] = []
  let events = 0
  for (const row of rows) {
    const more = Math.min(row.events_count, STORED_EVENTS)
    if (portion.length > 0 && events + more > EVENTS) {
      yield portion
      portion = []
      events = 0
    }
    portion.push(row)
    events += more
  }
  if (portion.length > 0) yield portion
}
