// Makes a clone ready to run: installs what package-lock.json names for running and, with --dev, for tests and tools;
// with --bundle, builds `.build/` when sources changed, with --page the page alone. Runs on the Node of the host, so it depends on nothing.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildPage, isPageFresh } from './build-page.mjs'
import { bundleSources, isFresh } from './bundle.mjs'
import { CannotPrepare, explain, nodePath, root } from './clone.mjs'
import { holding } from './lock.mjs'

const OLDEST_NODE = 20

/**
 * Brings the clone up to date; does nothing, within milliseconds, when it is.
 * @param {{ folder?: string, bundle?: boolean, page?: boolean, dev?: boolean }} options
 */
export async function prepare({ folder = root, bundle = false, page = bundle, dev = false } = {}) {
  refuseOldNode(process.versions.node)
  const isBundleFresh = () => !bundle || isFresh(folder)
  const isPageBuilt = () => !page || isPageFresh(folder)
  if (isInstalled(folder, dev) && isBundleFresh() && isPageBuilt()) return dropHeaders(folder)
  mkdirSync(join(folder, '.build'), { recursive: true })
  await holding(join(folder, '.build', 'prepare.lock'), async () => {
    if (!isInstalled(folder, dev)) await install(folder, dev)
    dropHeaders(folder)
    if (!isBundleFresh()) await telling('Bundling', () => bundleSources(folder))
    if (!isPageBuilt()) await telling('Building the page', () => buildPage(folder))
  })
}

/** @param {string} version */
export function refuseOldNode(version) {
  if (Number(version.split('.')[0]) >= OLDEST_NODE) return
  throw new CannotPrepare(
    `Rookery needs Node ${OLDEST_NODE} or newer to install itself; this is Node ${version}.`,
  )
}

/**
 * Whether node_modules holds what package-lock.json names, with `dev` also what only tests and tools need: npm keeps its
 * own copy of the lockfile in there.
 * @param {string} folder
 * @param {boolean} dev
 */
export function isInstalled(folder, dev) {
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  const present = packagesOf(join(folder, 'node_modules', '.package-lock.json'))
  if (!wanted)
    throw new CannotPrepare(
      `${join(folder, 'package-lock.json')} is missing or not JSON; fetch the clone anew.`,
    )
  if (!present || !existsSync(nodePath(folder))) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (entry.dev === true && !dev)) return true
    const found = present[path]
    if (!found) return entry.optional === true || entry.devOptional === true || entry.peer === true
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

/**
 * How npm brings node_modules to what is wanted. Missing tools alone are added to what is there, as a console may be
 * running from it; anything else is installed anew, with the tools if they were there before.
 * @param {string} folder
 * @param {boolean} dev
 * @returns {string[]}
 */
export function npmArguments(folder, dev) {
  if (dev && isInstalled(folder, false)) return ['install', '--no-save', '--include=dev']
  const present = packagesOf(join(folder, 'node_modules', '.package-lock.json')) ?? {}
  const hadTools = Object.values(present).some((entry) => entry.dev === true)
  return ['ci', dev || hadTools ? '--include=dev' : '--omit=dev']
}

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }} Entry
 * @param {string} path
 * @returns {Record<string, Entry> | undefined}
 */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * The packages whose install scripts run now: those that package.json allows and that were not there before. Node comes
 * last, since without it nothing counts as installed: what was broken off is then installed anew.
 * @param {string} folder
 * @param {Record<string, Entry>} before
 */
export function scriptsToRun(folder, before) {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.keys(allowScripts)
    .filter((name) => allowScripts[name] === true && !before[`node_modules/${name}`])
    .filter((name) => existsSync(join(folder, 'node_modules', name)))
    .sort((a, b) => Number(a === 'node') - Number(b === 'node'))
}

/**
 * Old releases of npm run the install script of every package, whatever package.json allows, and new ones none if the user
 * switched them off. So npm runs none of them, and then those of the named packages alone.
 * @param {string} folder
 * @param {boolean} dev
 */
async function install(folder, dev) {
  const args = npmArguments(folder, dev)
  const isAnew = args[0] === 'ci'
  const before = isAnew ? {} : (packagesOf(join(folder, 'node_modules', '.package-lock.json')) ?? {})
  const what = isAnew ? 'Installing dependencies' : 'Installing the tools of the tests'
  const run = async (/** @type {string[]} */ ...steps) => {
    const { code, said } = await runNpm(folder, steps)
    if (code !== 0) throw new CannotPrepare(explainNpm(said, folder))
  }
  const work = async () => {
    await run(...args, '--ignore-scripts')
    for (const name of scriptsToRun(folder, before)) await run('rebuild', name, '--ignore-scripts=false')
  }
  await telling(what, work, 0)
  if (existsSync(nodePath(folder))) return
  throw new CannotPrepare(
    `npm installed the packages but not Node itself: ${nodePath(folder)} is missing.\n` +
      'Run `npm rebuild node --ignore-scripts=false` to see why, and start again.',
  )
}

/**
 * Removes the C headers that come with Node, a fifth of all that is installed: nothing is compiled here.
 * @param {string} folder
 */
function dropHeaders(folder) {
  const within = join(folder, 'node_modules', 'node', 'node_modules')
  if (!existsSync(within)) return
  for (const name of readdirSync(within).filter((it) => it.startsWith('node-')))
    rmSync(join(within, name, 'include'), { recursive: true, force: true })
}

/**
 * npm on the host's Node, never on the one inside the node_modules that npm is about to replace.
 * @param {string} folder
 * @param {string[]} what
 * @returns {Promise<{ code: number, said: string }>}
 */
function runNpm(folder, what) {
  const env = { ...process.env, PATH: hostPath(process.env['PATH'] ?? '') }
  const args = [...what, '--no-audit', '--no-fund', '--loglevel=error']
  const { npm_execpath: script = '', npm_node_execpath: node = '' } = process.env
  const ownNpm = script.endsWith('npm-cli.js') && existsSync(script) && !isInModules(node) && existsSync(node)
  const child = ownNpm
    ? spawn(node, [script, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    : spawn('npm', args, {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: process.platform === 'win32',
      })
  let said = ''
  const keep = (/** @type {Buffer} */ chunk) => (said = (said + chunk.toString()).slice(-8192))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, said: String(error) }))
    child.on('close', (code) => resolve({ code: code ?? 1, said }))
  })
}

/** @param {string} path */
const isInModules = (path) =>
  path.includes(`${sep}node_modules${sep}.bin`) || path.startsWith(join(root, 'node_modules'))

/** @param {string} path */
const hostPath = (path) =>
  path
    .split(delimiter)
    .filter((folder) => !isInModules(folder))
    .join(delimiter)

/**
 * What npm's output means for the user.
 * @param {string} said
 * @param {string} folder
 */
export function explainNpm(said, folder) {
  const isStack = (/** @type {string} */ line) => /^npm error(\s+at .*|\s*\}|\s*)$/.test(line)
  const lines = said.trim().split('\n')
  const tail = lines
    .filter((line) => !isStack(line))
    .slice(-12)
    .join('\n')
  if (/spawn npm ENOENT|spawn .*ENOENT/.test(said))
    return 'npm is not on the PATH. Install Node 20 or newer with npm, then run this again.'
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ECONNRESET|ERR_SOCKET_TIMEOUT|ENOTCACHED/.test(
      said,
    )
  )
    return `The package registry cannot be reached: check the network or npm's proxy settings, then run this again.\n${tail}`
  if (/ENOSPC/.test(said)) return `The disk is full: ${folder} needs about 400 MB for its packages.\n${tail}`
  if (/EACCES|EPERM|EROFS/.test(said)) return `npm may not write below ${folder}.\n${tail}`
  return `npm failed.\n${tail}`
}

/**
 * Says what is being done when it takes longer than `afterMs`, and how long it took.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 */
async function telling(what, work, afterMs = 1000) {
  const startedAt = performance.now()
  let isAnnounced = false
  const tell = () => {
    isAnnounced = true
    process.stderr.write(`${what} …\n`)
  }
  const timer = afterMs > 0 ? setTimeout(tell, afterMs) : tell()
  try {
    return await work()
  } finally {
    clearTimeout(timer ?? undefined)
    if (isAnnounced)
      process.stderr.write(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const bundle = process.argv.includes('--bundle')
    const dev = process.argv.includes('--dev')
    const page = bundle || process.argv.includes('--page')
    await prepare({ bundle, page, dev })
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = 1
  }
}
