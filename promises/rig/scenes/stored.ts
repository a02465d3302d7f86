// The rows of a console's SQLite database, read on a connection of the bench's own.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Opens the database of a data directory for reading, for as long as `read` takes. */
export function reading<T>(dataDir: string, read: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(dataDir, 'rookery.db'), { readOnly: true, timeout: 5_000 })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** Events that the incidents count. */
export const countedEvents = (dataDir: string): number =>
  reading(dataDir, (db) => {
    const row = db.prepare('SELECT coalesce(sum(events_count), 0) AS n FROM incident').get() as { n: number }
    return row.n
  })

/** How often each source occurs in the kept events of tokens. */
export const keptSources = (dataDir: string): Map<string, number> =>
  reading(dataDir, (db) => {
    const rows = db
      .prepare(
        `SELECT json_extract(body, '$.src_host') AS source, count(*) AS n FROM incident_event
         WHERE json_extract(body, '$.decoytoken') IS NOT NULL GROUP BY 1`,
      )
      .all() as { source: string; n: number }[]
    return new Map(rows.map(({ source, n }) => [source, n]))
  })
