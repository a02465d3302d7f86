// The parent of `rookery up`, `serve` and `bird`: it starts a process again that ended by itself, and passes signals and ends on.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FREE_PORTS } from '@rookery/console/test/free-ports.ts'
import { freeOffset } from './free-offset.ts'
import { isRunning, leafOf } from './processes.ts'
import { ADMIN, newFolder, serve } from './run-rookery.ts'

const SUPERVISOR = join(import.meta.dirname, '../src/supervisor/supervisor.process.ts')
const CHILD = join(import.meta.dirname, 'supervised.child.ts')

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const parent = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  let [out, log] = ['', '']
  parent.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  parent.stderr.on('data', (piece: Buffer) => (log += piece.toString()))
  const ended = new Promise<unknown>((resolve) => parent.on('close', (...end) => resolve(end)))
  /** Of the children that have started until now. */
  const pids = (): number[] => [...out.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))
  return { parent, ended, pids, out: () => out, log: () => log }
}

const supervise = (...args: string[]) => start([SUPERVISOR, CHILD, ...args])

it('a process that computes without an end is started again, and its exit code is that of the parent', async () => {
  const { parent, ended, pids, log } = supervise()
  await expect.poll(pids).toHaveLength(1)
  const [first = 0] = pids()
  process.kill(first, 'SIGUSR2')
  await expect.poll(pids).toHaveLength(2)
  expect(log()).toMatch(
    /The watchdog ends this process: .*\n.*The process ended \(SIGKILL\); it starts again/,
  )
  parent.kill('SIGTERM')
  expect(await ended).toEqual([7, null])
})

it('an end before the process serves is final, and so is one with code 0, and one by a signal that was passed on', async () => {
  expect(await supervise('3').ended).toEqual([3, null])
  const done = supervise()
  await expect.poll(done.pids).toHaveLength(1)
  process.kill(done.pids()[0] ?? 0, 'SIGUSR1')
  expect(await done.ended).toEqual([0, null])
  const hungUp = supervise()
  await expect.poll(hungUp.pids).toHaveLength(1)
  hungUp.parent.kill('SIGHUP')
  expect(await hungUp.ended).toEqual([null, 'SIGHUP'])
})

it('a process whose parent was killed ends', async () => {
  const { parent, pids } = supervise()
  await expect.poll(pids).toHaveLength(1)
  parent.kill('SIGKILL')
  await expect.poll(() => isRunning(pids()[0] ?? 0)).toBe(false)
})

it('a Bird that was killed is started again, and that is an incident with its reason', async () => {
  const console = await serve(newFolder())
  const { json } = await console.post('/enrolment/create', {})
  const [, ...args] = String(json['command']).split(' ')
  const { parent, ended, out } = start([join(import.meta.dirname, '../bin/rookery.mjs'), ...args], {
    ROOKERY_DATA_DIR: newFolder(),
    ROOKERY_BIRD_PORT_OFFSET: String(freeOffset()),
    ROOKERY_BIRD_BIND: '127.0.0.1',
  })
  await expect.poll(out).toMatch(/is running on/)
  const bird = leafOf(parent.pid ?? 0)
  expect(bird).not.toBe(parent.pid)
  process.kill(bird, 'SIGKILL')
  const incidents = async (): Promise<unknown> => (await console.get('/incidents/all')).json['incidents']
  await expect.poll(incidents).toMatchObject([
    {
      description: {
        logtype: '22002',
        events: [
          { REASON: { process: expect.stringMatching(/ended without a stop.* started again\.$/) as string } },
        ],
      },
    },
  ])
  parent.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it.each(['up', 'serve'])(
  '`rookery %s` comes back after its console was killed, and stops with code 0',
  async (command) => {
    const { parent, ended, out } = start([join(import.meta.dirname, '../bin/rookery.mjs'), command], {
      ROOKERY_DATA_DIR: newFolder(),
      ROOKERY_BOOTSTRAP_KEY: ADMIN,
      ROOKERY_LOCAL_BIRD: 'off',
      ...FREE_PORTS,
    })
    const addresses = (): string[] => [...out().matchAll(/^ {2}Console +(\S+)/gm)].map(([, url]) => url ?? '')
    await expect.poll(addresses).toHaveLength(1)
    process.kill(leafOf(parent.pid ?? 0), 'SIGKILL')
    await expect.poll(addresses).toHaveLength(2)
    const [, url = ''] = addresses()
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    parent.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
