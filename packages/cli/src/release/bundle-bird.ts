// The Bird's program as files of a release: one minified file, its threads and its skins. The same sources make the same bytes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import { ENTRY } from '@rookery/bird/launcher/state.ts'
import type { ReleaseFiles } from '@rookery/link/release/archive.ts'

/** Says what the files are: version, and the Node that they were made for. */
export const RELEASE_FILE = 'release.json'

const MAIN = 'packages/cli/src/bird-main.ts'
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
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: sources,
    entryPoints: [
      { in: MAIN, out: basename(ENTRY, '.mjs') },
      ...WORKERS.map((path) => ({ in: path, out: basename(path, '.ts') })),
    ],
    outdir: '.',
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'ascii',
    legalComments: 'none',
    minify: true,
    // Modules that lie next to the launcher, or are not there.
    external: ['koffi', 'bufferutil', 'utf-8-validate', 'pg-native'],
    banner: { js: BANNER },
    logLevel: 'silent',
    plugins: [
      {
        name: 'version',
        setup({ onLoad }) {
          onLoad({ filter: VERSION_FILE }, () => ({ contents: `export const VERSION = '${version}'` }))
        },
      },
    ],
  })
  const programs = outputFiles.map(({ path, contents }): [string, Buffer] => [
    basename(path),
    Buffer.from(contents),
  ])
  const about = JSON.stringify({ version, node: process.versions.node })
  return new Map([
    ...programs,
    ...filesBelow(join(sources, SKINS)),
    [RELEASE_FILE, Buffer.from(`${about}\n`)],
  ])
}

const filesBelow = (folder: string): [string, Buffer][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`skins/${path.slice(folder.length + 1)}`, readFileSync(path)])

/** The clone that this command runs in. */
export function cloneFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, MAIN)) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
