// What comes into memory with a file of the product.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript-api'
import { root } from './clone.mjs'

const SOURCES = join(root, 'packages')

/** The file and, by their paths, all that it imports, also later; packages outside the clone by their names. */
export function loadedBy(path: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(path)) return loaded
  loaded.add(path)
  if (!path.startsWith(SOURCES) || !path.endsWith('.ts')) return loaded
  // Imports of types alone are gone when it runs.
  const plain = stripTypeScriptTypes(readFileSync(path, 'utf8'))
  for (const { fileName } of ts.preProcessFile(plain).importedFiles) {
    const [, name, rest] = /^@rookery\/([^/]+)\/(.*)$/.exec(fileName) ?? []
    if (fileName.startsWith('.')) loadedBy(join(dirname(path), fileName), loaded)
    else if (name !== undefined) loadedBy(join(SOURCES, name, 'src', rest ?? ''), loaded)
    else loaded.add(fileName)
  }
  return loaded
}
