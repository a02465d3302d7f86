// A registered Bird of its own process on one core, with every decoy open and its console away: each event waits on the disk.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ALLOCATION, NODE_FLAGS } from '../../packages/cli/bin/node-settings.mjs'
import { root } from '../../tools/clone.mjs'
import { testConsole } from '../../packages/bird/test/test-console.ts'
import { descriptors } from '../../packages/decoys/src/descriptors.gen.ts'
import { captureObstacle } from '../../packages/decoys/src/host/capability.ts'
import { portKeysOf, switchesOf } from '../../packages/decoys/src/instances.ts'
import { defaultSettings } from '../../packages/decoys/test/default-settings.ts'
import { MEASURED_CORE, onCore } from './cores.ts'
import { freeOffset } from './ports.ts'

export interface DecoyBird {
  readonly pid: number
  /** Added to every logical port. */
  readonly offset: number
  /** Events on the disk so far. */
  spooled(): Promise<number>
  stop(): Promise<void>
}

/** `over`: settings besides the defaults. */
export async function startDecoyBird(dataDir: string, over: object = {}): Promise<DecoyBird> {
  const settings = defaultSettings(descriptors, {
    'device.name': 'Bird',
    ...over,
    ...Object.fromEntries(descriptors.flatMap(switchesOf).map((key) => [key, true])),
  })
  const ports = descriptors.flatMap(portKeysOf).map((key) => Number(settings[key]))
  const offset = await freeOffset(ports)
  const console = await testConsole()
  console.isCommissioned = true
  console.offer(settings)
  const program = await bundle()
  const child = await onCore(MEASURED_CORE, () =>
    Promise.resolve(
      fork(program, [console.url, dataDir, String(offset), saver()], {
        ...withoutPackets(),
        // As packages/cli/src/main.ts keeps compiled code.
        env: { ...process.env, ...ALLOCATION, NODE_COMPILE_CACHE: join(root, '.build', 'compiled') },
      }),
    ),
  )
  const gone = once(child, 'exit')
  try {
    await Promise.race([
      console.frame('SETTINGS_APPLIED'),
      gone.then(() => Promise.reject(new Error('The Bird ended before its decoys were open.'))),
    ])
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

/** The thread that reads packets would be measured, too: the Bird is one that has no right to. */
const withoutPackets = (): { readonly execPath?: string; readonly execArgv: string[] } =>
  captureObstacle() === undefined
    ? {
        execPath: 'setpriv',
        execArgv: ['--inh-caps=-net_raw', '--bounding-set=-net_raw', process.execPath, ...NODE_FLAGS],
      }
    : { execArgv: NODE_FLAGS }

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
