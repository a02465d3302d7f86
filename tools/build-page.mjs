// Builds the page of the console into `.build/web`, with a `.br` next to each file that it makes smaller.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { generate } from './bundle.mjs'
import { CannotPrepare } from './clone.mjs'

/**
 * Also where there is no page to build.
 * @param {string} folder
 */
export const isPageFresh = (folder) => {
  if (!existsSync(join(folder, 'packages/web'))) return true
  try {
    return readFileSync(join(folder, '.build', 'web', 'stamp'), 'utf8') === stampOf(folder)
  } catch {
    return false
  }
}

/**
 * The folder appears whole, by a rename.
 * @param {string} folder
 */
export async function buildPage(folder) {
  const stamp = stampOf(folder)
  await generate(folder)
  const target = join(folder, '.build', 'web')
  const next = `${target}.${process.pid}`
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  const vite = await import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve('vite')).href)
  try {
    await vite.build({
      configFile: join(folder, 'packages/web/vite.config.ts'),
      root: join(folder, 'packages/web'),
      build: { outDir: next, emptyOutDir: true },
      logLevel: 'error',
    })
  } catch (error) {
    throw new CannotPrepare(`The page does not build.\n${error instanceof Error ? error.message : error}`)
  }
  for (const path of filesOf(next)) {
    const bytes = readFileSync(path)
    const smaller = brotliCompressSync(bytes)
    if (smaller.length < bytes.length * 0.95) writeFileSync(`${path}.br`, smaller)
  }
  writeFileSync(join(next, 'stamp'), stamp)
  rmSync(target, { recursive: true, force: true })
  if (existsSync(target)) cpSync(next, target, { recursive: true })
  else renameSync(next, target)
}

/**
 * Changes when a source of the page, of the operations that it calls, or the lockfile changes.
 * @param {string} folder
 */
function stampOf(folder) {
  const hash = createHash('sha256')
  const web = join(folder, 'packages/web')
  const sources = [
    ...filesOf(join(web, 'src')).filter((path) => !/\.(test\.tsx?|gen\.ts)$/.test(path)),
    ...filesOf(join(web, 'public')),
    ...filesOf(join(folder, 'packages/contract/src/groups')),
    join(web, 'index.html'),
    join(web, 'vite.config.ts'),
    join(folder, 'package-lock.json'),
    join(folder, 'tools/build-page.mjs'),
  ]
  for (const path of sources) {
    const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    hash.update(`${path}\n${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? folder, entry.name))
    .sort()
