// The command that the console prints for a new Bird gives one that the network can touch.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freeOffset } from './free-offset.ts'
import { begin, newFolder, serve } from './run-rookery.ts'

it('a Bird started by the printed command listens on every address, and says on which', async () => {
  const console = await serve(newFolder())
  const { json } = await console.post('/enrolment/create', {})
  const [, ...args] = String(json['command']).split(' ')
  const offset = freeOffset()
  const { child, output, ended } = begin(args, {
    ROOKERY_DATA_DIR: newFolder(),
    ROOKERY_BIRD_PORT_OFFSET: String(offset),
  })
  await expect.poll(output).toMatch(/^Bird [0-9a-f]{16} is running on \S+.*, open ports: .*redis/)
  // A listening socket (state 0A) of 0.0.0.0 and the port, in hex.
  const port = (6379 + offset).toString(16).toUpperCase().padStart(4, '0')
  expect(readFileSync('/proc/net/tcp', 'utf8')).toContain(` 00000000:${port} 00000000:0000 0A `)
  child.kill('SIGTERM')
  await ended
})
