// What became of everything that a console had acknowledged: hits by sources of their own, and a Bird's numbered events.
import { spooledEvent } from '../../rig/load/link-client.ts'
import { sourceText } from '../../rig/load/sources.ts'
import { keptSources, reading } from '../../rig/scenes/stored.ts'

export interface Judged {
  /** What the console had answered, or acknowledged to the Bird. */
  readonly hits: number
  readonly events: number
  readonly lostHits: number
  readonly doubledHits: number
  readonly lostEvents: number
  readonly doubledEvents: number
  /** Events that incidents count, but that are nowhere, or the other way round. */
  readonly miscounted: number
  /** What SQLite says of its file: `ok`. */
  readonly integrity: string
}

/** Below the number of events that an incident keeps, so that each can be found again. */
const EVENTS_PER_SOURCE = 500

/** The Bird's event with this number: the same whenever it is sent again. */
export const eventOf = (seq: number) => {
  const source = Math.floor(seq / EVENTS_PER_SOURCE)
  return spooledEvent(seq, { srcHost: `10.${(source >> 16) & 255}.${(source >> 8) & 255}.${source & 255}` })
}

/** Compares the database of a stopped console with the sources it has answered and the Bird's last acknowledged number. */
export function judge(folder: string, answered: readonly number[], acked: number): Judged {
  const sources = keptSources(folder)
  const seqs = keptEvents(folder)
  let lostEvents = 0
  for (let seq = 1; seq <= acked; seq++) if (!seqs.has(seq)) lostEvents++
  const { counted, kept, integrity } = reading(folder, (db) => ({
    counted: (db.prepare('SELECT coalesce(sum(events_count), 0) AS n FROM incident').get() as { n: number })
      .n,
    kept: (db.prepare('SELECT count(*) AS n FROM incident_event').get() as { n: number }).n,
    integrity: String(Object.values(db.prepare('PRAGMA integrity_check').get() ?? {})[0]),
  }))
  return {
    hits: answered.length,
    events: acked,
    lostHits: answered.filter((source) => !sources.has(sourceText(source))).length,
    doubledHits: [...sources.values()].filter((n) => n > 1).length,
    lostEvents,
    doubledEvents: [...seqs.values()].filter((n) => n > 1).length,
    miscounted: Math.abs(counted - kept),
    integrity,
  }
}

/** How often each of the Bird's events is kept, by its number. */
const keptEvents = (folder: string): Map<number, number> =>
  reading(folder, (db) => {
    const rows = db
      .prepare(
        `SELECT CAST(substr(json_extract(body, '$.PASSWORD'), 7) AS INTEGER) AS seq, count(*) AS n
         FROM incident_event WHERE json_extract(body, '$.PASSWORD') LIKE 'guess %' GROUP BY 1`,
      )
      .all() as { seq: number; n: number }[]
    return new Map(rows.map(({ seq, n }) => [seq, n]))
  })
