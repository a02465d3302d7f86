// The bare sketch that B1 is held against: node:http, one durable row for each hit, grouped into one transaction
// for all that arrived meanwhile. It knows no tokens, no incidents and no alerts.
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AddressInfo } from 'node:net'

const [, , folder = '.'] = process.argv
const database = new DatabaseSync(join(folder, 'sketch.db'))
database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
  CREATE TABLE hit (id INTEGER PRIMARY KEY, at INTEGER, path TEXT, source TEXT, headers TEXT)`)
const insert = database.prepare('INSERT INTO hit (at, path, source, headers) VALUES (?, ?, ?, ?)')

let waiting: { row: [number, string, string, string]; response: ServerResponse }[] = []

function commit(): void {
  const batch = waiting
  waiting = []
  database.exec('BEGIN IMMEDIATE')
  for (const { row } of batch) insert.run(...row)
  database.exec('COMMIT')
  for (const { response } of batch) response.writeHead(200, { 'Content-Length': 2 }).end('ok')
}

const server = createServer((request, response) => {
  request.resume()
  const source = request.headers['x-forwarded-for']?.toString() ?? ''
  if (waiting.length === 0) setImmediate(commit)
  waiting.push({ row: [Date.now(), request.url ?? '', source, JSON.stringify(request.headers)], response })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
