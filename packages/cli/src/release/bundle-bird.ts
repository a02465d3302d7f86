// The Bird's program as files of a release: one minified file, its threads and its skins; and the launcher of a package. The same
// sources make the same bytes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { Fault } from '@rookery/kernel/fault.ts'
import { ENTRY } from '@rookery/bird/launcher/state.ts'
import type { ReleaseFiles } from '@rookery/link/release/archive.ts'

/** Says what the files are: version, and the Node that they were made for. */
export const RELEASE_FILE = 'release.json'

const MAIN = 'packages/cli/src/bird-main.ts'
const LAUNCHER = 'packages/bird/src/launcher/launcher.ts'
const WORKERS = [
  'packages/cli/src/watchdog/watchdog.worker.ts',
  'packages/decoys/src/services/portscan/portscan.worker.ts',
]
const SKINS = 'packages/decoys/src/services/http/skins'
const VERSION_FILE = /[\\/]bird[\\/]src[\\/]version\.ts$/

/** CommonJS packages inside an ES module still ask for these three. */
const BANNER = [
  "import { createRequire as __createRequire } from 'node:module'",
  "import { fileURLToPath as __toPath } from 'node:url'",
  'const require = __createRequire(import.meta.url)',
  'const __filename = __toPath(import.meta.url)',
  "const __dirname = __toPath(new URL('.', import.meta.url))",
].join('\n')

/** `bad-input` where there are no sources of Rookery. */
export async function bundleBird(sources: string, version: string): Promise<ReleaseFiles> {
  if (!existsSync(join(sources, MAIN)))
    throw new Fault(
      'bad-input',
      `--sources is ${JSON.stringify(sources)}, where ${MAIN} does not exist; it must be a clone of Rookery.`,
    )
  const entries = [
    { in: MAIN, out: basename(ENTRY, '.mjs') },
    ...WORKERS.map((path) => ({ in: path, out: basename(path, '.ts') })),
  ]
  const about = JSON.stringify({ version, node: process.versions.node })
  return new Map([
    ...(await bundle(sources, entries, {
      minify: true,
      banner: { js: BANNER },
      plugins: [ofVersion(version)],
    })),
    ...filesBelow(join(sources, SKINS)),
    [RELEASE_FILE, Buffer.from(`${about}\n`)],
  ])
}

/** `launcher.mjs`, which the package brings and no release replaces. */
export async function bundleLauncher(sources: string): Promise<Buffer> {
  const [[, bytes] = []] = await bundle(sources, [{ in: LAUNCHER, out: 'launcher' }])
  return bytes ?? Buffer.alloc(0)
}

async function bundle(
  sources: string,
  entryPoints: { in: string; out: string }[],
  more: Pick<BuildOptions, 'minify' | 'banner' | 'plugins'> = {},
): Promise<[string, Buffer][]> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: sources,
    entryPoints,
    outdir: '.',
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'ascii',
    legalComments: 'none',
    // Modules that lie next to the launcher, or are not there.
    external: ['koffi', 'bufferutil', 'utf-8-validate', 'pg-native'],
    logLevel: 'silent',
    ...more,
  })
  return outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)])
}

const ofVersion = (version: string): Plugin => ({
  name: 'version',
  setup({ onLoad }) {
    onLoad({ filter: VERSION_FILE }, () => ({ contents: `export const VERSION = '${version}'` }))
  },
})

const filesBelow = (folder: string): [string, Buffer][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`skins/${path.slice(folder.length + 1)}`, readFileSync(path)])
