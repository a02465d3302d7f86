// What the bare sketches of reads share: node:http over the console's own SQLite file, no key, no views, no pages.
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AddressInfo } from 'node:net'

/** The database in a console's folder, to be read. */
export const databaseIn = (folder = '.'): DatabaseSync =>
  new DatabaseSync(join(folder, 'rookery.db'), { readOnly: true })

/** Answers every request with this as JSON, and sends its port to the parent process; ends with it. */
export function serveJson(answer: (request: IncomingMessage) => object): void {
  const server = createServer((request, response) => {
    request.resume()
    const body = JSON.stringify(answer(request))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  process.on('disconnect', () => process.exit())
}
