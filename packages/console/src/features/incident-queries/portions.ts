// A page's incidents in portions that fit into memory, however many events they have.
import type { EngineName, Query } from '../../db/query.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import { incidentsById } from '../../stores/incidents/page.store.ts'

/** Rows that are in memory at once, and events of them. */
const ROWS = 100
const EVENTS = 1_000
const KEPT_EVENTS = 1_000

/** The incidents in the order given; those that were deleted meanwhile are left out. */
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

/** Cuts where the kept events become many. */
export function* byEvents<Row extends { readonly events_count: number }>(
  rows: readonly Row[],
): Generator<readonly Row[]> {
  let portion: Row[] = []
  let events = 0
  for (const row of rows) {
    const more = Math.min(row.events_count, KEPT_EVENTS)
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
