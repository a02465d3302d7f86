// Writes the git-ignored indexes (`*.gen.ts`): the plug-in folders, contract groups, their routes, the tables and the
// migrations that exist.
// A new one is found by its place alone, so that nobody edits a shared list. With `--reference` also the pages of
// docs/reference and docs/ui/coverage.md, which are in git. Run: npm run generate
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { root } from './clone.mjs'

/** One index: the file that is written, and the text that belongs in it. */
export interface Index {
  readonly path: string
  readonly text: string
}

/** Everything that is generated, for the clone at `folder`. */
const indexesOf = (folder: string): Index[] => [
  pluginIndex(folder, {
    path: 'packages/decoys/src/services.gen.ts',
    folders: 'services',
    door: 'service.ts',
    name: 'services',
    type: { name: 'Service', from: './session/session.ts' },
    idOf: serviceOf,
  }),
  descriptorIndex(folder, {
    path: 'packages/decoys/src/descriptors.gen.ts',
    folders: 'services',
    type: { name: 'ServiceDescriptor', from: './settings/descriptor.ts' },
    idOf: serviceOf,
  }),
  pluginIndex(folder, {
    path: 'packages/tokens/src/kinds.gen.ts',
    folders: 'kinds',
    door: 'token.ts',
    name: 'kinds',
    type: { name: 'TokenKind', from: './token.ts' },
  }),
  lazyIndex(folder, {
    path: 'packages/tokens/src/forges.gen.ts',
    folders: 'kinds',
    door: 'forge.ts',
    name: 'forges',
    type: { name: 'Forge', from: './forge.ts' },
  }),
  descriptorIndex(folder, {
    path: 'packages/tokens/src/descriptors.gen.ts',
    folders: 'kinds',
    type: { name: 'TokenDescriptor', from: './descriptor.ts' },
    isExact: true,
  }),
  pluginIndex(folder, {
    path: 'packages/tokens/src/channels.gen.ts',
    folders: 'channels',
    door: 'channel.ts',
    name: 'channels',
  }),
  lazyIndex(folder, {
    path: 'packages/tokens/src/providers.gen.ts',
    folders: 'providers',
    door: 'provider.ts',
    name: 'providers',
    type: { name: 'OpenProvider', from: './provider.ts' },
  }),
  descriptorIndex(folder, {
    path: 'packages/tokens/src/provider-descriptors.gen.ts',
    folders: 'providers',
    type: { name: 'ProviderDescriptor', from: './provider-descriptor.ts' },
    isExact: true,
    name: 'providerDescriptors',
  }),
  pluginIndex(folder, {
    path: 'packages/console/src/notify/receivers.gen.ts',
    folders: 'receivers',
    door: 'receiver.ts',
    name: 'receiverKinds',
    type: { name: 'ReceiverKind', from: './receiver-kind.ts' },
  }),
  groupIndex(folder),
  routeIndex(folder),
  schemaIndex(folder),
  migrationIndex(folder),
]

/** Writes the indexes whose text changed; answers their paths. */
export function generate(folder: string): string[] {
  return indexesOf(folder)
    .filter(({ path, text }) => write(join(folder, path), text))
    .map(({ path }) => path)
}

/** Writes docs/reference and docs/ui/coverage.md, which are made from what the indexes name; answers the paths that changed. */
async function generateReference(folder: string): Promise<string[]> {
  const { referencePages } = await import('./reference/pages.ts')
  const pages = referencePages()
  const at = join(folder, 'docs/reference')
  const names = new Set(pages.map(({ name }) => name))
  const stale = existsSync(at) ? readdirSync(at).filter((name) => !names.has(name)) : []
  for (const name of stale) rmSync(join(at, name))
  const written = pages.filter(({ name, text }) => write(join(at, name), text)).map(({ name }) => name)
  const { COVERAGE, coveragePage } = await import('./web/coverage.ts')
  const coverage = write(join(folder, COVERAGE), coveragePage(folder)) ? [COVERAGE] : []
  return [...[...written, ...stale].map((name) => `docs/reference/${name}`), ...coverage]
}

interface TypeOrigin {
  readonly name: string
  readonly from: string
}

interface Plugins {
  readonly path: string
  /** The folder next to the index that holds one folder for each plug-in. */
  readonly folders: string
  /** What a plug-in is called, of its folder; without it the folder's name. They stand in the order of their names. */
  readonly idOf?: (folder: string) => string
}

/** The service that a folder's descriptor names: a folder has the field's name, the wire may have another. */
function serviceOf(folder: string): string {
  const file = join(folder, 'descriptor.ts')
  const [, name] = /\bservice: '(\w[\w-]*)'/.exec(readFileSync(file, 'utf8')) ?? []
  if (name === undefined) throw new Error(`${file}: names no service, such as service: 'ftp'.`)
  return name
}

const inOrderOf = (at: string, names: readonly string[], idOf: Plugins['idOf']) =>
  names
    .map((name) => ({ name, id: idOf ? idOf(join(at, name)) : name }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))

/** Folder name → default export of the folder's door; without a `type` each keeps its own. */
function pluginIndex(
  folder: string,
  plugins: Plugins & { readonly door: string; readonly name: string; readonly type?: TypeOrigin },
): Index {
  const { path, folders, door, name, type, idOf } = plugins
  const at = join(folder, dirname(path), folders)
  const found = inOrderOf(at, foldersWith(at, door), idOf)
  const imports = found.map((it) => `import ${camel(it.name)} from './${folders}/${it.name}/${door}'`)
  const entries = found.map((it) => `  '${it.id}': ${camel(it.name)},`)
  if (!type) return { path, text: page(imports, [], [`export const ${name} = {`, ...entries, '}']) }
  return { path, text: page([...imports, BY_WORD], [type], tableOf(name, type.name, entries)) }
}

const BY_WORD = "import { byWord } from '@rookery/kernel/by-word.ts'"

/** Callers may look it up by any text. */
const tableOf = (name: string, type: string, entries: readonly string[]): string[] => [
  `export const ${name} = byWord<${type}>({`,
  ...entries,
  '})',
]

/** Folder name → a function that loads the default export of the folder's door, where a folder has that door. */
function lazyIndex(
  folder: string,
  plugins: Plugins & { readonly door: string; readonly name: string; readonly type: TypeOrigin },
): Index {
  const { path, folders, door, name, type } = plugins
  const entries = foldersWith(join(folder, dirname(path), folders), door).map(
    (it) => `  '${it}': async () => (await import('./${folders}/${it}/${door}')).default,`,
  )
  return { path, text: page([BY_WORD], [type], tableOf(name, `() => Promise<${type.name}>`, entries)) }
}

/** The `descriptor` of each folder, in the order of their names. With `isExact` each keeps its own type. */
function descriptorIndex(
  folder: string,
  {
    path,
    folders,
    type,
    isExact,
    idOf,
    name = 'descriptors',
  }: Plugins & { readonly type: TypeOrigin; readonly isExact?: boolean; readonly name?: string },
): Index {
  const at = join(folder, dirname(path), folders)
  const names = inOrderOf(at, foldersWith(at, 'descriptor.ts'), idOf).map((it) => it.name)
  const imports = names.map(
    (it) => `import { descriptor as ${camel(it)} } from './${folders}/${it}/descriptor.ts'`,
  )
  const entries = names.map((it) => `  ${camel(it)},`)
  return {
    path,
    text: page(
      imports,
      [type],
      isExact
        ? [`export const ${name} = [`, ...entries, `] as const satisfies readonly ${type.name}[]`]
        : [`export const ${name}: readonly ${type.name}[] = [`, ...entries, ']'],
    ),
  }
}

/** File name in camelCase → the group that the file exports under that name. */
function groupIndex(folder: string): Index {
  const path = 'packages/contract/src/groups.gen.ts'
  const names = filesIn(join(folder, dirname(path), 'groups'))
    .filter((it) => /^[^/]+\.ts$/.test(it) && !it.endsWith('.test.ts'))
    .map((it) => it.slice(0, -'.ts'.length))
  const imports = names.map((it) => `import { ${camel(it)} } from './groups/${it}.ts'`)
  return {
    path,
    text: page(imports, [], ['export const groups = {', ...names.map((it) => `  ${camel(it)},`), '}']),
  }
}

/** The `<group>Routes` of each feature folder, in the order of the contract's groups. */
function routeIndex(folder: string): Index {
  const path = 'packages/console/src/routes.gen.ts'
  const names = foldersWith(join(folder, dirname(path), 'features'), 'routes.ts')
  const imports = names.map((it) => `import { ${camel(it)}Routes } from './features/${it}/routes.ts'`)
  const entries = names.map((it) => `  ${camel(it)}Routes,`)
  const type = { name: 'FeatureRoutes', from: './route-deps.ts' }
  return {
    path,
    text: page(
      imports,
      [type],
      ['export const featureRoutes: readonly FeatureRoutes[] = [', ...entries, ']'],
    ),
  }
}

/** All tables by name: the `<Noun>Tables` of every `tables.ts` of the console. */
function schemaIndex(folder: string): Index {
  const path = 'packages/console/src/db/schema.gen.ts'
  const here = join(folder, dirname(path))
  const found = filesIn(join(folder, 'packages/console/src'))
    .filter((it) => /(^|\/)tables\.ts$/.test(it))
    .map((it) => {
      const file = join(folder, 'packages/console/src', it)
      const [, name] = /^export interface (\w+Tables)\b/m.exec(readFileSync(file, 'utf8')) ?? []
      if (name === undefined)
        throw new Error(`${file}: exports no \`interface <Noun>Tables\`, such as TokenTables.`)
      return { name, from: importPath(here, file) }
    })
  const names = found.map(({ name }) => name).join(', ')
  const body = found.length
    ? [`export interface Schema extends ${names} {}`]
    : ['export type Schema = object']
  return { path, text: page([], found, body) }
}

/** Migration name (its file's, which starts with its time) → its `migration`, oldest first. */
function migrationIndex(folder: string): Index {
  const path = 'packages/console/src/db/migrations.gen.ts'
  const here = join(folder, dirname(path))
  const found = filesIn(join(folder, 'packages/console/src'))
    .filter((it) => /(^|\/)migrations\/[^/]+\.ts$/.test(it) && !it.endsWith('.test.ts'))
    .map((it) => ({ file: join(folder, 'packages/console/src', it), name: it.replace(/^.*\/|\.ts$/g, '') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const imports = found.map(({ file, name }, at) => {
    if (!/^\d{4}-\d{2}-\d{2}T\d{4}-[a-z0-9-]+$/.test(name))
      throw new Error(
        `${file}: a migration's name starts with its time, such as 2026-11-21T0400-incidents.ts.`,
      )
    if (found[at - 1]?.name === name) throw new Error(`${file}: another migration has this name.`)
    return `import { migration as m${at} } from '${importPath(here, file)}'`
  })
  const entries = found.map(({ name }, at) => `  '${name}': m${at},`)
  const type = { name: 'Migration', from: './migration.ts' }
  return {
    path,
    text: page(
      imports,
      [type],
      ['export const migrations: Readonly<Record<string, Migration>> = {', ...entries, '}'],
    ),
  }
}

function page(imports: readonly string[], types: readonly TypeOrigin[], body: readonly string[]): string {
  const typeImports = types.map(({ name, from }) => `import type { ${name} } from '${from}'`)
  const head = [...typeImports, ...imports]
  return [
    '// Generated by tools/generate.ts; not in git.',
    ...head,
    ...(head.length ? [''] : []),
    ...body,
    '',
  ].join('\n')
}

/** What a file in `folder` writes to import `file`. */
function importPath(folder: string, file: string): string {
  const path = relative(folder, file).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

const foldersWith = (folder: string, file: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((it) => existsSync(join(folder, it, file)))
        .sort()
    : []

/** Paths below `folder`, with slashes, sorted. */
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((it) => it.split(sep).join('/'))
        .sort()
    : []

/** `flock-notes` → `flockNotes`; a leading digit gets an underscore before it. */
const camel = (name: string): string =>
  name.replace(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/^(?=\d)/, '_')

/** Whole or not at all, and untouched when nothing changed, so that nothing is built anew for it. */
function write(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, text)
  renameSync(temporary, path)
  return true
}

if (import.meta.main) {
  try {
    for (const path of generate(root)) console.log(`wrote ${path}`)
    for (const path of await (await import('./web/operations.ts')).generateOperations(root))
      console.log(`wrote ${path}`)
    if (process.argv.includes('--reference'))
      for (const path of await generateReference(root)) console.log(`wrote ${path}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
