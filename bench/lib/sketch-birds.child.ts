// The bare sketch that B15 is held against: node:http over the same table, all rows as JSON, no key, no pages, no views.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AddressInfo } from 'node:net'

const [, , folder = '.'] = process.argv
const database = new DatabaseSync(join(folder, 'rookery.db'), { readOnly: true })
const all = database.prepare('SELECT * FROM bird ORDER BY first_seen_at, node_id')

const server = createServer((request, response) => {
  request.resume()
  const body = JSON.stringify({ devices: all.all() })
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
