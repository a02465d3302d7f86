// The bare sketch that B2 is held against: node:dgram, one durable row for each query, grouped into one transaction
// for all that arrived meanwhile. It knows no zone, no tokens, no incidents and no alerts.
import { createSocket, type RemoteInfo } from 'node:dgram'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const [, , folder = '.'] = process.argv
const database = new DatabaseSync(join(folder, 'sketch-dns.db'))
database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
  CREATE TABLE hit (id INTEGER PRIMARY KEY, at INTEGER, name TEXT, source TEXT)`)
const insert = database.prepare('INSERT INTO hit (at, name, source) VALUES (?, ?, ?)')

let waiting: { message: Buffer; from: RemoteInfo; at: number }[] = []

function commit(): void {
  const batch = waiting
  waiting = []
  database.exec('BEGIN IMMEDIATE')
  for (const { message, from, at } of batch) insert.run(at, message.toString('latin1', 12), from.address)
  database.exec('COMMIT')
  for (const { message, from } of batch) {
    // QR and AA: the question comes back without an answer.
    message.writeUInt16BE(0x8400, 2)
    socket.send(message, from.port, from.address)
  }
}

const socket = createSocket('udp4', (message, from) => {
  if (waiting.length === 0) setImmediate(commit)
  waiting.push({ message, from, at: Date.now() })
})
socket.bind(0, '127.0.0.1', () => {
  socket.setRecvBufferSize(4 * 1_024 * 1_024)
  process.send?.({ port: socket.address().port })
})
process.on('disconnect', () => process.exit())
