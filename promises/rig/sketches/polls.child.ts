// The bare sketch that B11 is held against: what changed since a number, with its events, as JSON.
import { databaseIn, serveJson } from './reads.ts'

const database = databaseIn(process.argv[2])
const since = database.prepare(
  `SELECT * FROM incident WHERE updated_id > ? AND deleted_at IS NULL ORDER BY updated_id LIMIT 100`,
)
const events = database.prepare('SELECT * FROM incident_event WHERE incident_id = ?')

serveJson(({ url = '' }) => {
  const last = Number(/incidents_since=(\d+)/.exec(url)?.[1])
  return {
    incidents: since.all(last).map((row) => ({ ...row, events: events.all(row['incident_id'] ?? 0) })),
  }
})
