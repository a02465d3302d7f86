// The bare sketch that B3 is held against: node:http that answers every request with the same image.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'Content-Type': 'image/gif', 'Content-Length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
