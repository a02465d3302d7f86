// Writes the skeleton of a token kind, a decoy service, a kind of receiver or an endpoint group: its files, and tests that
// fail with what is to be done. Run: npm run new -- token|service|udp-service|receiver|tcp-receiver|group <name>, and for a service its first product
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { format as formatCode, type FormatConfig } from 'oxfmt'
import { format as formatPage, resolveConfig } from 'prettier'
import { CannotPrepare, explain, root } from './clone.mjs'
import { generate } from './generate.ts'

/** Template file (`*` for any) → where it goes, from the root of the clone. */
type Places = Readonly<Record<string, (name: string, product: string) => string>>

const SERVICE: Places = {
  'codec.ts': (name) => `packages/decoys/src/services/${name}/protocol/codec.ts`,
  'profile.ts': (name, product) => `packages/decoys/src/services/${name}/products/${product}/profile.ts`,
  'session.ts': (name, product) => `packages/decoys/src/services/${name}/products/${product}/session.ts`,
  'session.test.ts': (name, product) =>
    `packages/decoys/src/services/${name}/products/${product}/session.test.ts`,
  'corpus.ts': (name, product) => `packages/decoys/lab/${name}/${product}/corpus.ts`,
  'mutations.ts': (name) => `packages/decoys/lab/${name}/mutations.ts`,
  'mutations.test.ts': (name) => `packages/decoys/lab/${name}/mutations.test.ts`,
  '*': (name) => `packages/decoys/src/services/${name}`,
}

const RECEIVER: Places = {
  'group.ts': (name) => `packages/contract/src/groups/${name}.ts`,
  '*': (name) => `packages/console/src/notify/receivers/${name}`,
}

const TEMPLATES: Readonly<Record<string, Places>> = {
  token: { '*': (name) => `packages/tokens/src/kinds/${name}` },
  service: SERVICE,
  'udp-service': SERVICE,
  receiver: RECEIVER,
  'tcp-receiver': RECEIVER,
  group: {
    'group.ts': (name) => `packages/contract/src/groups/${name}.ts`,
    '*': (name) => `packages/console/src/features/${name}`,
  },
}

/** A template that differs from another in some files takes the others from there. */
const BASES = new Map([
  ['udp-service', 'service'],
  ['tcp-receiver', 'receiver'],
])

const USAGE = `npm run new -- ${Object.keys(TEMPLATES).join('|')} <name>`
const FORMAT = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** Writes the skeleton into the clone at `folder`; answers the paths of its files. A service's first `product` has a folder of its own. */
export async function writeSkeleton(
  folder: string,
  template = '',
  name = '',
  product = name,
): Promise<string[]> {
  const places = Object.hasOwn(TEMPLATES, template) ? TEMPLATES[template] : undefined
  if (!places) throw new CannotPrepare(`There is no template "${template}". Use: ${USAGE}`)
  for (const word of [name, product])
    if (!NAME.test(word))
      throw new CannotPrepare(
        `"${word}" is no name; it must be words in small letters with - between them. Use: ${USAGE}`,
      )
  const files = filesOf(template).map((from) => ({
    from,
    path: placeOf(places, posix.basename(from), name, product),
  }))
  for (const { path } of files)
    if (existsSync(join(folder, path))) throw new CannotPrepare(`${path} is already there.`)
  const moved = new Map(
    files.flatMap(({ from, path }) =>
      [template, BASES.get(template) ?? template].map((it) => [
        `tools/templates/${it}/${posix.basename(from)}`,
        path,
      ]),
    ),
  )
  for (const { from, path } of files) {
    const text = named(readFileSync(join(root, from), 'utf8').replaceAll('some-product', product), name)
    const placed = from.endsWith('.ts') ? withImports(text, from, path, moved) : text
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), await formatted(path, placed))
  }
  return files.map(({ path }) => path)
}

/** The template's files, from the root of the clone. */
function filesOf(template: string): string[] {
  const own = readdirSync(join(root, 'tools/templates', template))
  const base = BASES.get(template)
  const others = base === undefined ? [] : readdirSync(join(root, 'tools/templates', base))
  return [
    ...own.map((file) => `tools/templates/${template}/${file}`),
    ...others.filter((file) => !own.includes(file)).map((file) => `tools/templates/${base}/${file}`),
  ]
}

function placeOf(places: Places, file: string, name: string, product: string): string {
  const own = places[file]?.(name, product)
  return own ?? `${places['*']?.(name, product)}/${file}`
}

async function formatted(path: string, text: string): Promise<string> {
  if (path.endsWith('.md'))
    return formatPage(text, { ...(await resolveConfig(join(root, path))), filepath: path })
  const { code, errors } = await formatCode(path, text, FORMAT)
  const [first] = errors
  if (first) throw new Error(`${path}: ${first.message}`)
  return code
}

/** The text with the thing's name in each of its spellings. */
function named(text: string, name: string): string {
  const camel = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const capital = (word: string) => word.replace(/^./, (letter) => letter.toUpperCase())
  const words = name.replaceAll('-', ' ')
  return text
    .replaceAll('some-name', name)
    .replaceAll('some_name', name.replaceAll('-', '_'))
    .replaceAll('someName', camel)
    .replaceAll('SomeName', capital(camel))
    .replaceAll('Some name', capital(words))
    .replaceAll('some name', words)
}

/** The text with its imports as they are written where the file goes: a path within a package, a name between packages. */
const withImports = (text: string, from: string, to: string, moved: ReadonlyMap<string, string>): string =>
  text.replace(/(?<=\bfrom ')(?:\.|@rookery\/)[^']*/g, (module) => {
    const target = fileOf(module, from)
    return moduleName(to, moved.get(target) ?? target)
  })

/** The file that a module names, from the root of the clone. */
function fileOf(module: string, from: string): string {
  if (module.startsWith('.')) return posix.join(posix.dirname(from), module)
  const [, name = '', inside = ''] = /^@rookery\/([^/]+)\/(.+)$/.exec(module) ?? []
  return `packages/${name}/${/^(test|lab)\//.test(inside) ? inside : `src/${inside}`}`
}

function moduleName(from: string, target: string): string {
  const [, here] = from.split('/')
  const [, there, folder, ...inside] = target.split('/')
  if (here !== there) return `@rookery/${there}/${folder === 'src' ? '' : `${folder}/`}${inside.join('/')}`
  const path = posix.relative(posix.dirname(from), target)
  return path.startsWith('.') ? path : `./${path}`
}

if (import.meta.main) {
  try {
    const paths = await writeSkeleton(root, ...process.argv.slice(2))
    for (const path of [...paths, ...generate(root)]) console.log(`wrote ${path}`)
    console.log(
      `\nIts tests say what is to be done: npx vitest run ${paths.filter((path) => path.endsWith('.test.ts')).join(' ')}`,
    )
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
}
