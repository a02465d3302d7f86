// Bundles the long-running programs into `.build/`: one file for the command and what it reads later, one for each worker thread
// and each process of its own.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { CannotPrepare, nodePath } from './clone.mjs'

/** Loaded at run time where present, or never, or native: not part of a bundle. */
const EXTERNAL = ['pg-native', 'bufferutil', 'utf-8-validate', 'koffi', 'esbuild']

/** CommonJS packages inside an ES module still ask for these three. */
const BANNER = [
  "import { createRequire as __createRequire } from 'node:module'",
  "import { fileURLToPath as __toPath } from 'node:url'",
  'const require = __createRequire(import.meta.url)',
  'const __filename = __toPath(import.meta.url)',
  "const __dirname = __toPath(new URL('.', import.meta.url))",
].join('\n')

/**
 * Whether `.build/` was made from the sources as they are.
 * @param {string} folder
 */
export const isFresh = (folder) =>
  existsSync(join(folder, '.build', 'rookery.mjs')) && readStamp(folder) === stampOf(folder)

/**
 * Generates the indexes and bundles; each file appears whole, by a rename.
 * @param {string} folder
 */
export async function bundleSources(folder) {
  const stamp = stampOf(folder)
  const entries = entriesOf(folder)
  await generate(folder)
  const target = join(folder, '.build')
  mkdirSync(target, { recursive: true })
  const made = await build(folder, entries, target)
  for (const { path, contents } of made) writeWhole(path, contents)
  const names = new Set(made.map(({ path }) => basename(path)))
  // For packages: the folder may hold files of earlier bundles, too.
  writeWhole(join(target, 'files.json'), JSON.stringify([...names].sort()))
  for (const name of readdirSync(target))
    if (/\.mjs(\.map)?$/.test(name) && !names.has(name) && isOld(join(target, name)))
      rmSync(join(target, name))
  // Compiled code of earlier bundles (packages/cli/src/main.ts).
  rmSync(join(target, 'compiled'), { recursive: true, force: true })
  writeWhole(join(target, 'stamp'), stamp)
}

/** A console that was started before may still read a chunk of its own bundle later. */
const KEPT_MS = 30 * 86_400_000

/** @param {string} path */
const isOld = (path) => Date.now() - statSync(path).mtimeMs > KEPT_MS

/**
 * A reader finds the old file or the new one, never a half.
 * @param {string} path
 * @param {string | Uint8Array} contents
 */
function writeWhole(path, contents) {
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, contents)
  renameSync(temporary, path)
}

/**
 * Output name → source: `rookery`, every `<name>.worker` (a thread) and every `<name>.process`.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
export function entriesOf(folder) {
  const main = join(folder, 'packages/cli/src/main.ts')
  if (!existsSync(main)) throw new CannotPrepare(`There is nothing to bundle: ${main} does not exist.`)
  /** @type {Record<string, string>} */
  const entries = { rookery: main }
  for (const path of sourcesOf(folder).filter((path) => /\.(worker|process)\.ts$/.test(path))) {
    const name = basename(path, '.ts')
    if (entries[name])
      throw new CannotPrepare(`Two entries are called ${name}: ${entries[name]} and ${path}.`)
    entries[name] = path
  }
  return entries
}

/**
 * @param {string} folder
 * @param {Record<string, string>} entryPoints
 * @param {string} outdir
 * @returns {Promise<import('esbuild').OutputFile[]>}
 */
async function build(folder, entryPoints, outdir) {
  const esbuild = createRequire(join(folder, 'package.json'))('esbuild')
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: folder,
      write: false,
      entryPoints,
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // What only some commands need (a database driver, the decoys) is read when it is needed.
      splitting: true,
      chunkNames: '[name]-[hash]',
      format: 'esm',
      platform: 'node',
      target: 'node24',
      // The engine keeps the text of the program, two bytes a character if but one of them needs it: 7 MB of a console's
      // memory. The source map brings the lines back.
      charset: 'ascii',
      legalComments: 'none',
      minifyWhitespace: true,
      sourcemap: true,
      sourcesContent: false,
      external: EXTERNAL,
      banner: { js: BANNER },
      logLevel: 'silent',
    })
    return outputFiles
  } catch (error) {
    const { errors } = /** @type {{ errors?: import('esbuild').Message[] }} */ (error)
    if (!errors) throw error
    const lines = await esbuild.formatMessages(errors, {
      kind: 'error',
      color: process.stderr.isTTY === true,
    })
    throw new CannotPrepare(`The sources do not bundle.\n${lines.join('')}`)
  }
}

/** @param {string} folder */
export async function generate(folder) {
  const child = spawn(nodePath(folder), [join(folder, 'tools/generate.ts')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
  if (code !== 0) throw new CannotPrepare('The indexes could not be generated; the reason is above.')
}

/**
 * Changes when a source, the lockfile or these tools change; generated and test files do not count.
 * @param {string} folder
 */
export function stampOf(folder) {
  const hash = createHash('sha256')
  const tools = ['package-lock.json', 'tools/bundle.mjs', 'tools/generate.ts'].map((name) =>
    join(folder, name),
  )
  for (const path of [...sourcesOf(folder), ...tools]) {
    const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    hash.update(`${path}\n${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

/** @param {string} folder */
function readStamp(folder) {
  try {
    return readFileSync(join(folder, '.build', 'stamp'), 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Files below packages/<name>/src, in a fixed order; the page has a build of its own (build-page.mjs).
 * @param {string} folder
 */
function sourcesOf(folder) {
  const packages = join(folder, 'packages')
  return readdirSync(packages)
    .filter((name) => name !== 'web')
    .map((name) => join(packages, name, 'src'))
    .filter((path) => existsSync(path))
    .flatMap((path) =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\.(gen|test)\.ts$/.test(entry.name))
        .map((entry) => join(entry.parentPath ?? dirname(path), entry.name)),
    )
    .sort()
}
