// Refuses what would make a room depend on another one's furniture: wrong imports, stray SQL, hidden clocks.
// The rules are data in walls/table.mjs and walls/words.data.mjs. Run: npm run walls
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './clone.mjs'
import { exceptThose, pruned } from './walls/exceptions.mjs'
import { inspect } from './walls/inspect.mjs'

const SKIPPED = new Set(['node_modules', '.git', '.build', 'data', 'coverage', 'golden'])
/** What real servers were recorded to answer. */
const RECORDED = /^packages\/decoys\/lab\/.*\.json$/
const READ = /\.(ts|tsx|mjs|json|md|ya?ml|tsv|css|html|txt|sh)$/

/**
 * Files of the repository that are read, as paths from its root with slashes.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesOf(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesOf(folder, path)
    return READ.test(path) &&
      !path.endsWith('.gen.ts') &&
      path !== 'package-lock.json' &&
      !RECORDED.test(path)
      ? [path]
      : []
  })
}

const EXCEPTIONS = join(root, 'tools/walls/exceptions.json')

if (import.meta.main) {
  const has = (/** @type {string} */ flag) => process.argv.includes(flag)
  const paths = filesOf(root)
  const findings = paths.flatMap((path) => inspect(path, readFileSync(join(root, path), 'utf8')))
  let exceptions = JSON.parse(readFileSync(EXCEPTIONS, 'utf8'))
  if (has('--prune')) {
    exceptions = pruned(findings, exceptions)
    writeFileSync(EXCEPTIONS, JSON.stringify(exceptions, undefined, 2) + '\n')
  }
  const left = exceptThose(findings, exceptions)
  for (const { path, line, rule, message } of left) console.error(`${path}:${line}: ${rule}: ${message}.`)
  console.log(`${paths.length} files looked at, ${left.length} findings.`)
  process.exitCode = left.length > 0 ? 1 : 0
}
