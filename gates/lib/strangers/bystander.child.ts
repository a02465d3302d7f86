// A bare server that nobody attacks: what its answers take is what the machine takes. It tells its port, and ends with its parent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((_, response) => response.end('as ever'))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
