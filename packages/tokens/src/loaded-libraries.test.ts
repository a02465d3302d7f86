// Every console loads all kinds at its start: no library comes with them. Those that some kinds need are loaded on first use.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** Imports a module and notes which packages outside the repository come with it. */
const SCRIPT = `
import { registerHooks } from 'node:module'
const libraries = []
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    if (resolved.url.includes('/node_modules/') && !context.parentURL.includes('/node_modules/')) libraries.push(specifier)
    return resolved
  },
})
await import(process.argv[1])
console.log(JSON.stringify([...new Set(libraries)]))
`

const librariesOf = (file: string): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ['--input-type=module', '-e', SCRIPT, new URL(file, import.meta.url).href],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    ),
  )

it('no library is loaded with the kinds, their channels and the lists of forges and providers', () => {
  for (const file of ['kinds', 'channels', 'forges', 'providers', 'descriptors'])
    expect(librariesOf(`./${file}.gen.ts`), file).toEqual([])
  expect(librariesOf('./kinds/pdf-reader/plant-in-pdf.ts')).toEqual([])
  expect(librariesOf('./site-ignores/linear-regex.ts')).toEqual(['re2js'])
})
