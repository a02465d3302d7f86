// The local Bird of `rookery up` is a process of its own, which ends with the console and comes back by itself.
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { freeOffset } from './free-offset.ts'
import { childOf, isRunning } from './processes.ts'
import { newFolder, up, type ServeProcess } from './run-rookery.ts'

async function upWithBird(): Promise<{ console: ServeProcess; redis: number }> {
  const offset = freeOffset()
  const console = await up(newFolder(), { ROOKERY_BIRD_PORT_OFFSET: String(offset) })
  await expect.poll(() => console.output()).toContain(`redis   ${6379 + offset}`)
  return { console, redis: 6379 + offset }
}

const answers = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    onTestFinished(() => void socket.destroy())
    socket.once('data', (data) => resolve(data.toString()))
    socket.once('error', (error) => resolve(error.message))
  })

it('runs at a lower priority than the console, and comes back after it was killed', async () => {
  const { console, redis } = await upWithBird()
  const first = childOf(console.child.pid ?? 0)
  // As far as it goes: 19.
  expect(getPriority(first)).toBe(Math.min(19, getPriority(console.child.pid) + 10))
  process.kill(first, 'SIGKILL')
  await expect.poll(() => answers(redis)).toMatch(/NOAUTH|PONG/)
  expect(childOf(console.child.pid ?? 0)).not.toBe(first)
  expect((await console.get('/ping')).status).toBe(200)
  const { devices } = (await console.get('/devices/all')).json as unknown as { devices: unknown[] }
  expect(devices).toHaveLength(1)
  expect((await console.stop()).code).toBe(0)
})

it('knows no option of the console, some of which are secrets', async () => {
  const { console } = await upWithBird()
  const variables = readFileSync(`/proc/${childOf(console.child.pid ?? 0)}/environ`, 'utf8').split('\0')
  expect(variables).toContainEqual(expect.stringMatching(/^PATH=/))
  expect(variables.filter((it) => /^(ROOKERY_|PG)/.test(it))).toEqual([])
})

it('ends with the console, also with one that was killed', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const { console } = await upWithBird()
    const bird = childOf(console.child.pid ?? 0)
    await console.stop(signal)
    await expect.poll(() => isRunning(bird)).toBe(false)
  }
})
