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

it('a Bird with a used code says in one line what is wrong with it, and what would be right', async () => {
  const console = await serve(newFolder())
  const { json } = await console.post('/enrolment/create', {})
  const [, ...args] = String(json['command']).split(' ')
  const run = () =>
    begin(args, { ROOKERY_DATA_DIR: newFolder(), ROOKERY_BIRD_PORT_OFFSET: String(freeOffset()) })
  const first = run()
  await expect.poll(first.output).toContain('is running on')
  const second = run()
  await expect.poll(second.output).toContain('Waiting to be commissioned. Compare the words: ')
  for (const { child } of [first, second]) child.kill('SIGTERM')
  await first.ended
  const { stderr } = await second.ended
  expect(stderr.split('\n').filter((line) => /code|enrol/.test(line))).toEqual([
    expect.stringMatching(/refused the enrolment code\. The code is used up: .* `rookery enrol`/),
  ])
})
