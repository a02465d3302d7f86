// The page's sources as a graph: which top-level declaration mentions which other. Read as text, since the formatter lets
// every top-level declaration begin in the first column, and nothing else.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

export interface Declaration {
  readonly file: string
  readonly names: readonly string[]
  readonly text: string
}

export interface Sources {
  readonly declarations: readonly Declaration[]
  /** All that this one leads to, itself included. */
  readonly reachedFrom: (starts: readonly Declaration[]) => ReadonlySet<Declaration>
}

const STARTS = /^(?=(?:export |async |const |let |function |interface |type |class |declare |import |if ))/m
const NAMED =
  /^(?:export )?(?:default )?(?:async )?(?:const|let|function\*?|class|interface|type) (?:[{[]([^}\]]*)[}\]]|(\w+))/

/** @param files file below packages/web/src → its text */
export function readSources(files: Readonly<Record<string, string>>): Sources {
  const declarations = Object.entries(files).flatMap(([file, text]) =>
    withoutComments(text)
      .split(STARTS)
      .filter((it) => it.trim() !== '' && !it.startsWith('import '))
      .map((it) => ({ file, names: namesOf(it), text: it })),
  )
  const byFile = Map.groupBy(declarations, ({ file }) => file)
  const imports = new Map(Object.entries(files).map(([file, text]) => [file, importsOf(file, text)]))

  const named = (file: string, name: string) =>
    (byFile.get(file) ?? []).filter(({ names }) => names.includes(name))
  const ledTo = (declaration: Declaration): Declaration[] => {
    const { file, text } = declaration
    // A name behind one dot is a field; behind three it is spread.
    const words = new Set(text.replace(/'[^'\n]*'/g, '').match(/(?<!\w|(?<!\.\.)\.)[A-Za-z_]\w*/g))
    const loaded = [...text.matchAll(/\bimport\('([^']+)'\)/g)].flatMap(
      ([, from = '']) => byFile.get(resolved(file, from)) ?? [],
    )
    return [
      ...loaded,
      ...[...words].flatMap((word) => {
        const origin = imports.get(file)?.get(word)
        return origin ? named(origin.file, origin.name) : named(file, word)
      }),
    ]
  }
  const reachedFrom = (starts: readonly Declaration[]) => {
    const reached = new Set(starts)
    for (const each of reached) for (const next of ledTo(each)) reached.add(next)
    return reached
  }
  return { declarations, reachedFrom }
}

/** The page's own sources, without tests and what is generated. */
export function pageFiles(folder: string): Record<string, string> {
  const at = join(folder, 'packages/web/src')
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' })
    .map((it) => it.split(sep).join('/'))
    .filter((it) => /\.tsx?$/.test(it) && !/\.(?:test|gen|d)\.tsx?$/.test(it))
  return Object.fromEntries(names.sort().map((it) => [it, readFileSync(join(at, it), 'utf8')]))
}

const withoutComments = (text: string): string =>
  text.replace(/^\s*\/\/.*$/gm, '').replace(/\/\*[^]*?\*\//g, '')

function namesOf(text: string): string[] {
  const [, several, one = ''] = NAMED.exec(text) ?? []
  return several === undefined ? [one] : (several.match(/\w+/g) ?? [])
}

/** Local name → where it comes from. Types bring no code. */
function importsOf(file: string, text: string): Map<string, { file: string; name: string }> {
  const found = text.matchAll(/^import \{([^}]*)\} from '(\.[^']*)'/gm)
  return new Map(
    [...found].flatMap(([, names = '', from = '']) =>
      names
        .split(',')
        .map((it) => it.trim())
        .filter((it) => it !== '' && !it.startsWith('type '))
        .map((it) => {
          const [name = '', local = name] = it.split(' as ')
          return [local, { file: resolved(file, from), name }] as const
        }),
    ),
  )
}

const resolved = (file: string, from: string): string =>
  posix.normalize(posix.join(posix.dirname(file), from))
