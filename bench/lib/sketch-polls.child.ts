// The bare sketch that B11 is held against: node:http over the same table, what changed since a number with its events as
// JSON, no key, no views.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AddressInfo } from 'node:net'

const [, , folder = '.'] = process.argv
const database = new DatabaseSync(join(folder, 'rookery.db'), { readOnly: true })
const since = database.prepare(
  `SELECT * FROM incident WHERE updated_id > ? AND deleted_at IS NULL ORDER BY updated_id LIMIT 100`,
)
const events = database.prepare('SELECT * FROM incident_event WHERE incident_id = ?')

const server = createServer((request, response) => {
  request.resume()
  const last = Number(/incidents_since=(\d+)/.exec(request.url ?? '')?.[1])
  const incidents = since.all(last).map((row) => ({ ...row, events: events.all(row['incident_id'] ?? 0) }))
  const body = JSON.stringify({ incidents })
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
