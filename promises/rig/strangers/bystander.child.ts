// A bare server that nobody attacks: what its answers take is what the machine takes. As a console does, it has each visit on the
// disk before it answers. It tells its port, and ends with its parent.
import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const [, , folder = '.'] = process.argv
const visits = openSync(join(folder, 'visits'), 'w')

const server = createServer((_, response) => {
  writeSync(visits, `${Date.now()}\n`)
  fdatasyncSync(visits)
  response.end('as ever')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
