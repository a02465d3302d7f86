// Starts the Bird's software: `node launcher.mjs <folder of releases> <arguments of the Bird>`. It comes with the package, and no
// update replaces it. It starts a release only if that is signed and no file of it was altered; else the one before, or the package's.
//
//   <package>/launcher.mjs, release-keys.json, node_modules, app/rookery-bird.mjs, app/release.json
//   <folder>/state.json, <folder>/<id>/manifest.json, manifest.json.sig, rookery-bird.mjs …
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  MANIFEST_FILE,
  KEYS_FILE,
  MAX_MANIFEST_BYTES,
  parseKeys,
  SIGNATURE_FILE,
  signatureProblem,
} from '@rookery/link/release/signature.ts'
import { createHash } from 'node:crypto'
import { compareVersions } from '@rookery/link/release/version.ts'
import { ENTRY, readState, TRIES, writeState, type ReleaseState } from './state.ts'

interface Manifest {
  readonly version: string
  readonly needs: { readonly node: readonly string[] }
  readonly files: Readonly<Record<string, string>>
}

const packageFolder = import.meta.dirname
const [folderArgument = '', ...birdArguments] = process.argv.slice(2)
const folder = resolve(folderArgument)

start(choose())

/** The folder of the software to start. */
function choose(): string {
  const builtIn = join(packageFolder, 'app')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    linkModules()
    return chooseRelease(readState(folder)) ?? builtIn
  } catch (error) {
    say(
      `The folder of releases ${folder} cannot be used: ${(error as Error).message}. The software of the package starts.`,
    )
    return builtIn
  }
}

function chooseRelease(state: ReleaseState): string | undefined {
  const { next, tries = 0 } = state
  if (next !== undefined) {
    const problem =
      tries >= TRIES ? (state.problem ?? `it was started ${TRIES} times and never worked`) : problemOf(next)
    // The try is on the disk before the release runs.
    if (problem === undefined) {
      writeState(folder, { ...state, tries: tries + 1 })
      return join(folder, next)
    }
    say(`The release ${next} is dropped: ${problem}.`)
    const { next: _dropped, tries: _tries, problem: _problem, ...rest } = state
    writeState(folder, { ...rest, dropped: { id: next, reason: problem } })
  }
  const { current } = state
  if (current === undefined) return undefined
  const problem = problemOf(current)
  if (problem === undefined) return join(folder, current)
  say(`The release ${current} is not started: ${problem}. The software of the package starts.`)
  return undefined
}

/** Why this release must not start; undefined when it may. */
function problemOf(id: string): string | undefined {
  try {
    const release = join(folder, id)
    const bytes = readBounded(join(release, MANIFEST_FILE))
    const keys = parseKeys(readFileSync(join(packageFolder, KEYS_FILE), 'utf8'))
    const unsigned = signatureProblem(
      bytes,
      readBounded(join(release, SIGNATURE_FILE)).toString('latin1'),
      keys,
    )
    if (unsigned !== undefined) return unsigned
    const { version, needs, files } = JSON.parse(bytes.toString()) as Manifest
    if (!needs.node.includes(process.versions.node))
      return `it needs Node ${needs.node.join(' or ')}, and here is ${process.versions.node}`
    const installed = builtInVersion()
    if (compareVersions(installed, version) > 0) return `the package has the newer version ${installed}`
    const surplus = surplusOf(release, files)
    if (surplus !== undefined)
      return `it has the file ${surplus}, which its manifest does not name, or which is a link`
    const altered = Object.keys(files).find((path) => hashOf(join(release, path)) !== files[path])
    return altered === undefined ? undefined : `its file ${altered} was altered`
  } catch (error) {
    return (error as Error).message
  }
}

/** Replaces this process: the same pid, and no memory of its own. */
function start(app: string): void {
  const own = ['--releases', folder, '--launcher', resolve(process.argv[1] ?? '')]
  process.execve!(process.execPath, [
    process.execPath,
    ...process.execArgv,
    join(app, ENTRY),
    ...birdArguments,
    ...own,
  ])
}

/** Releases find the modules of the package, which are no files of theirs. */
function linkModules(): void {
  const [link, modules] = [join(folder, 'node_modules'), join(packageFolder, 'node_modules')]
  if (!existsSync(modules) || existsSync(link)) return
  rmSync(link, { force: true })
  symlinkSync(modules, link)
}

function readBounded(path: string): Buffer {
  const { size } = statSync(path)
  if (size > MAX_MANIFEST_BYTES)
    throw new Error(`${path} has ${size} bytes; ${MAX_MANIFEST_BYTES} are the most`)
  return readFileSync(path)
}

/** A file that the manifest does not name, or that is a link. */
function surplusOf(release: string, files: Manifest['files']): string | undefined {
  const entries = readdirSync(release, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name).slice(release.length + 1) }))
    .filter(({ path }) => path !== MANIFEST_FILE && path !== SIGNATURE_FILE)
    .find(({ entry, path }) => !entry.isFile() || !Object.hasOwn(files, path))?.path
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

function builtInVersion(): string {
  try {
    return (
      JSON.parse(readFileSync(join(packageFolder, 'app', 'release.json'), 'utf8')) as { version: string }
    ).version
  } catch {
    return '0.0.0'
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
