// One console a data directory: the kernel holds the lock, and frees it when the console dies, however it dies.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FREE_PORTS } from '@rookery/console/test/free-ports.ts'
import { newFolder, rookery, serve } from './run-rookery.ts'

/** A parent that never waits for its child: a killed child stays a zombie. */
const NEVER_REAPS = ['sh', '-c', '"$@" & echo "Process $!"; exec sleep 600 >&- 2>&-', 'sh']
const STARTS = 5

/** How this user may start a program in a pid namespace of its own; undefined where the system allows none. */
const PID_NAMESPACE = [
  ['unshare', '--pid', '--fork', '--kill-child'],
  ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'],
].find(([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0)

const refusal = (dataDir: string): string =>
  `Another Rookery uses this data directory: ${join(dataDir, 'lock')} is locked. Stop it, or give this one another ROOKERY_DATA_DIR.\n`

it(`${STARTS} consoles killed with -9, none of them reaped: each next one starts at once`, async () => {
  const dataDir = newFolder()
  for (let n = 0; n < STARTS; n++) {
    const { output } = await serve(dataDir, {}, NEVER_REAPS)
    const pid = Number(/^Process (\d+)$/m.exec(output())?.[1])
    process.kill(pid, 'SIGKILL')
  }
  const last = await serve(dataDir)
  expect((await last.get('/ping')).status).toBe(200)
  expect((await last.stop()).code).toBe(0)
})

it.skipIf(PID_NAMESPACE === undefined)(
  'a second console is refused, also in another pid namespace (skipped where `unshare` makes none)',
  async () => {
    const dataDir = newFolder()
    const first = await serve(dataDir)
    const options = { ROOKERY_DATA_DIR: dataDir, ...FREE_PORTS }
    const second = await rookery(['serve'], options, PID_NAMESPACE)
    expect([second.code, second.stderr]).toEqual([1, refusal(dataDir)])
    expect((await first.stop()).code).toBe(0)

    const inside = await serve(dataDir, {}, PID_NAMESPACE)
    const outside = await rookery(['serve'], options)
    expect([outside.code, outside.stderr]).toEqual([1, refusal(dataDir)])
    expect((await inside.get('/ping')).status).toBe(200)
  },
)
