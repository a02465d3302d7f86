// Refuses what would make a room depend on another one's furniture: wrong imports, stray SQL, hidden clocks.
// The rules are data in walls/table.mjs. Run: npm run walls
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './clone.mjs'
import { inspect } from './walls/inspect.mjs'

const SKIPPED = new Set(['node_modules', '.git', '.build', 'data', 'coverage', 'golden'])
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
    return READ.test(path) && !path.endsWith('.gen.ts') && path !== 'package-lock.json' ? [path] : []
  })
}

if (import.meta.main) {
  const paths = filesOf(root)
  const findings = paths.flatMap((path) => inspect(path, readFileSync(join(root, path), 'utf8')))
  for (const { path, line, rule, message } of findings) console.error(`${path}:${line}: ${rule}: ${message}.`)
  console.log(`${paths.length} files looked at, ${findings.length} findings.`)
  process.exitCode = findings.length > 0 ? 1 : 0
}
