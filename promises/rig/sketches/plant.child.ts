// The bare sketch that B4 is held against: node:http, a form, one durable row with a random id, grouped into one
// transaction for all that arrived meanwhile. It knows no keys, no Flocks, no kinds and no audit trail.
import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AddressInfo } from 'node:net'

const [, , folder = '.'] = process.argv
const database = new DatabaseSync(join(folder, 'sketch.db'))
database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
  CREATE TABLE token (token_id TEXT PRIMARY KEY, at INTEGER, memo TEXT, url TEXT) WITHOUT ROWID`)
const insert = database.prepare('INSERT INTO token (token_id, at, memo, url) VALUES (?, ?, ?, ?)')

let waiting: { row: [string, number, string, string]; response: ServerResponse }[] = []

function commit(): void {
  const batch = waiting
  waiting = []
  database.exec('BEGIN IMMEDIATE')
  for (const { row } of batch) insert.run(...row)
  database.exec('COMMIT')
  for (const { row, response } of batch) {
    const [decoytoken, at, memo, url] = row
    const body = JSON.stringify({ result: 'success', decoytoken: { decoytoken, at, memo, url } })
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
      .end(body)
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const id = randomBytes(16).toString('hex').slice(0, 25)
    if (waiting.length === 0) setImmediate(commit)
    const url = `http://127.0.0.1/about/${id}/index.html`
    waiting.push({ row: [id, Date.now(), form.get('memo') ?? '', url], response })
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
