// The bare sketch that B10 is held against: rows of the same table and their events as JSON.
import { databaseIn, serveJson } from './reads.ts'

const [, , folder, flockId = ''] = process.argv
const database = databaseIn(folder)
const list = database.prepare(
  `SELECT * FROM incident WHERE flock_id = ? AND acknowledged = 0 AND deleted_at IS NULL
   ORDER BY created_at, incident_id LIMIT 50`,
)
const events = database.prepare('SELECT * FROM incident_event WHERE incident_id = ?')

serveJson(() => ({
  incidents: list.all(flockId).map((row) => ({ ...row, events: events.all(row['incident_id'] ?? 0) })),
}))
