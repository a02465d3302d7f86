import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-api'
import { expect, it } from 'vitest'
import { root } from './clone.mjs'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const manifest = (path: string) =>
  JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest

/** Every package that the clone asks the registry for, with its version. */
const asked = ['.', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)]
  .map(manifest)
  .flatMap(({ dependencies, devDependencies }) => Object.entries({ ...dependencies, ...devDependencies }))
  .filter(([name]) => !name.startsWith('@rookery/'))

it('every dependency is pinned, and docs/dependencies.md says what it saves us', () => {
  const rows = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  expect(asked.filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+[\w.-]*$/.test(version))).toEqual([])
  const missing = asked.filter(
    ([name, version]) =>
      !rows.some((row) => row.includes(`\`${name}\``) && row.includes(version.replace(/^npm:/, ''))),
  )
  expect(missing).toEqual([])
})

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.ts$|(^|\/)testing\//.test(path),
  )

/** Names of the packages that the source of one package imports, tests aside. */
function importedBy(folder: string): Set<string> {
  const named = sources(`${folder}/src`)
    .map((path) => readFileSync(join(root, folder, 'src', path), 'utf8'))
    .flatMap((text) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName))
    .filter((name) => !/^(\.|node:)/.test(name))
  return new Set(named.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))
}

it.each(readdirSync(join(root, 'packages')))(
  '%s declares what its source imports, and nothing else',
  (name) => {
    const { dependencies = {}, devDependencies } = manifest(`packages/${name}`)
    const imported = importedBy(`packages/${name}`)
    const declared = Object.keys(dependencies)
    expect([...imported].filter((it) => !declared.includes(it) && it !== `@rookery/${name}`)).toEqual([])
    expect(declared.filter((it) => !it.startsWith('@rookery/') && !imported.has(it))).toEqual([])
    // Tools of tests are the root's: `npm start` does not install them.
    expect(devDependencies).toBeUndefined()
  },
)

it('every tool of the root is imported, run by its path, or a peer of one that is', () => {
  const folders = ['packages', 'tools', 'promises']
  const texts = folders
    .flatMap((folder) =>
      globSync('**/*.{ts,mjs}', { cwd: join(root, folder), exclude: ['**/node_modules/**'] }).map((path) =>
        join(root, folder, path),
      ),
    )
    .map((path) => readFileSync(path, 'utf8'))
  const isUsed = (name: string) =>
    texts.some(
      (text) =>
        text.includes(`'${name}'`) || text.includes(`'${name}/`) || text.includes(`node_modules/${name}/`),
    )
  const tools = Object.keys(manifest('.').devDependencies ?? {})
  const used = tools.filter(isUsed)
  const peers = used.flatMap((name) => Object.keys(manifest(`node_modules/${name}`).peerDependencies ?? {}))
  expect(
    tools.filter((name) => !name.startsWith('@types/') && !used.includes(name) && !peers.includes(name)),
  ).toEqual([])
})
