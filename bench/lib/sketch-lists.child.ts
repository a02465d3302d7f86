// The bare sketch that B10 is held against: node:http over the same table, rows and their events as JSON, no key, no views.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AddressInfo } from 'node:net'

const [, , folder = '.', flockId = ''] = process.argv
const database = new DatabaseSync(join(folder, 'rookery.db'), { readOnly: true })
const list = database.prepare(
  `SELECT * FROM incident WHERE flock_id = ? AND acknowledged = 0 AND deleted_at IS NULL
   ORDER BY created_at, incident_id LIMIT 50`,
)
const events = database.prepare('SELECT * FROM incident_event WHERE incident_id = ?')

const server = createServer((request, response) => {
  request.resume()
  const incidents = list.all(flockId).map((row) => ({ ...row, events: events.all(row['incident_id'] ?? 0) }))
  const body = JSON.stringify({ incidents })
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
