// Builds the client as a package of its own: one module that needs nothing else, its types, and what to read.
// Run: npm run build -w @rookery/sdk; then npm publish .build/sdk
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import ts from 'typescript-api'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group } from '@rookery/contract/operation.ts'
import { root } from '../clone.mjs'
import { declareClient } from './declarations.ts'

const SOURCES = join(root, 'packages/sdk')

/** Builds into `target`, anew; answers it. */
export async function buildSdk(target = join(root, '.build/sdk')): Promise<string> {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  await build({
    stdin: { contents: DOOR, resolveDir: join(SOURCES, 'src'), loader: 'ts' },
    outfile: join(target, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    sourcemap: true,
    sourcesContent: true,
    legalComments: 'none',
    plugins: [onlyPaths],
    logLevel: 'warning',
  })
  for (const name of ['api-error', 'client'])
    writeFileSync(join(target, `${name}.d.ts`), declarationsOf(name))
  writeFileSync(join(target, 'types.d.ts'), declareClient(groups))
  writeFileSync(join(target, 'index.d.ts'), TYPES)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  copyFileSync(join(SOURCES, 'README.md'), join(target, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  return target
}

const DOOR = `export { openClient } from './client.ts'
export { ApiError } from './api-error.ts'
`

const TYPES = `export { openClient, type ClientOptions } from './client.js'
export { ApiError, type ErrorBody } from './api-error.js'
export type { Answered, AnsweredFile, Client } from './types.js'
`

/** While it runs, the client reads no more of the contract than where each operation is. */
const onlyPaths: Plugin = {
  name: 'only-paths',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]groups\.gen\.ts$/ }, () => {
      const paths = Object.entries<Group>(groups).map(([name, group]) => [
        name,
        Object.fromEntries(
          Object.entries(group).map(([operation, { method, path }]) => [operation, { method, path }]),
        ),
      ])
      return { contents: `export const groups = ${JSON.stringify(Object.fromEntries(paths))}` }
    })
  },
}

function declarationsOf(name: string): string {
  const fileName = join(SOURCES, 'src', `${name}.ts`)
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(fileName, 'utf8'), {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, declaration: true },
  })
  const [first] = diagnostics
  if (first) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`)
  return outputText.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
}

function manifest(): object {
  const { name, version, description, keywords, license, type, sideEffects } = JSON.parse(
    readFileSync(join(SOURCES, 'package.json'), 'utf8'),
  ) as Record<string, unknown>
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    sideEffects,
    engines: { node: '>=18' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
  }
}

if (import.meta.main) console.log(await buildSdk())
