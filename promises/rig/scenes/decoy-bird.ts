// Registered Birds with every decoy open, each a process of its own on one core: one that is asked as fast as it can answer, and
// the one that users run.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'esbuild'
import { everyDecoyListens } from './every-decoy.ts'
import { ALLOCATION, BIRD_FLAGS } from '../../../packages/cli/bin/node-settings.mjs'
import { root } from '../../../tools/clone.mjs'
import { testConsole, type TestConsole } from '../../../packages/bird/test/test-console.ts'
import { descriptors } from '../../../packages/decoys/src/descriptors.gen.ts'
import { captureObstacle } from '../../../packages/decoys/src/host/sensors/capability.ts'
import { portKeysOf, switchesOf } from '../../../packages/decoys/src/settings/instances.ts'
import { defaultSettings } from '../../../packages/decoys/test/default-settings.ts'
import { MEASURED_CORE, onCore } from '../cores.ts'
import { freeOffset } from '../../../tools/free-port.ts'

export interface BirdProcess {
  readonly pid: number
  stop(): Promise<void>
}

export interface DecoyBird extends BirdProcess {
  /** Added to every logical port. */
  readonly offset: number
  /** Events on the disk so far. */
  spooled(): Promise<number>
}

/** Without delays, and with its console away: each event waits on the disk. `over`: settings besides the defaults. */
export async function startDecoyBird(dataDir: string, over: object = {}): Promise<DecoyBird> {
  const { console, offset } = await consoleWithEveryDecoy(over)
  const program = await bundle()
  const [execPath, ...execArgv] = node()
  const child = await onCore(MEASURED_CORE, () =>
    Promise.resolve(
      fork(program, [console.url, dataDir, String(offset), saver()], {
        execPath,
        execArgv,
        // As packages/cli/src/main.ts keeps compiled code.
        env: { ...process.env, ...ALLOCATION, NODE_COMPILE_CACHE: join(root, '.build', 'compiled') },
      }),
    ),
  )
  const gone = once(child, 'exit')
  try {
    await decoysOpen(console, gone)
  } finally {
    await console.stop()
  }
  return {
    pid: child.pid ?? 0,
    offset,
    async spooled() {
      child.send('count')
      const [{ spooled }] = (await once(child, 'message')) as [{ readonly spooled: number }]
      return spooled
    },
    async stop() {
      child.disconnect()
      await gone
    },
  }
}

/** `rookery bird` itself, in touch with its console; each port has been visited once. `env`: variables besides the launcher's. */
export async function startRookeryBird(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BirdProcess> {
  const { console, offset } = await consoleWithEveryDecoy()
  const flags = { console: console.url, 'data-dir': dataDir, 'port-offset': String(offset), log: 'error' }
  const [program, ...args] = [
    ...node(),
    join(root, '.build', 'rookery.mjs'),
    'bird',
    ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
  ]
  const child = await onCore(MEASURED_CORE, () =>
    Promise.resolve(
      spawn(program, args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { PATH: process.env['PATH'], ...ALLOCATION, ...env },
      }),
    ),
  )
  const gone = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await gone
    await console.stop()
  }
  try {
    await decoysOpen(console, gone)
    await everyDecoyListens(offset)
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: child.pid ?? 0, stop }
}

/** A console that offers settings with every decoy switched on, and an offset at which their ports are free. */
async function consoleWithEveryDecoy(
  over: object = {},
): Promise<{ readonly console: TestConsole; readonly offset: number }> {
  const settings = defaultSettings(descriptors, {
    'device.name': 'Bird',
    ...Object.fromEntries(descriptors.flatMap(switchesOf).map((key) => [key, true])),
    ...over,
  })
  const ports = descriptors.flatMap(portKeysOf).map((key) => Number(settings[key]))
  const offset = await freeOffset(ports)
  const console = await testConsole()
  console.isCommissioned = true
  console.offer(settings)
  return { console, offset }
}

const decoysOpen = (console: TestConsole, gone: Promise<unknown>): Promise<unknown> =>
  Promise.race([
    console.frame('SETTINGS_APPLIED'),
    gone.then(() => Promise.reject(new Error('The Bird ended before its decoys were open.'))),
  ])

/** The program and its flags. The thread that reads packets would be measured, too: the Bird is one that has no right to. */
const node = (): [string, ...string[]] =>
  captureObstacle() === undefined
    ? ['setpriv', '--inh-caps=-net_raw', '--bounding-set=-net_raw', process.execPath, ...BIRD_FLAGS]
    : [process.execPath, ...BIRD_FLAGS]

/** As the product is: the sources would bring their compiler along, and its memory. */
async function bundle(): Promise<string> {
  const outfile = join(root, '.build', 'decoy-bird.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'decoy-bird.child.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'ascii',
    minifyWhitespace: true,
    external: ['bufferutil', 'utf-8-validate'],
    banner: {
      // Koffi imports `createRequire` by that name.
      js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
    },
  })
  return outfile
}

/** `BENCH_SAVER`: `on` as in the product, `off` to compare. */
const saver = (): string => process.env['BENCH_SAVER'] ?? 'on'
