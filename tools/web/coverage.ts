// docs/ui/coverage.md: the page of every operation of the contract, or why it has none.
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group } from '@rookery/contract/operation.ts'
import { code, page, stacked, table } from '../reference/markdown.ts'
import { callsOf } from './calls.ts'
import { pageFiles, readSources, type Declaration } from './declarations.ts'
import { WITHOUT_PAGE } from './no-page.data.ts'
import { readRoutes } from './routes.ts'

export const COVERAGE = 'docs/ui/coverage.md'
/** Stands where a part is on every page, such as the navigation. */
const EVERY = 'every page'

const everyGroup: Readonly<Record<string, Group>> = groups

export interface Covered {
  readonly group: string
  readonly operation: string
  /** Addresses, or `every page`. */
  readonly pages: readonly string[]
  readonly reasons: readonly string[]
}

export function readCoverage(folder: string): Covered[] {
  const pages = operationPages(folder)
  return Object.entries(everyGroup).flatMap(([group, operations]) =>
    Object.keys(operations).map((operation) => ({
      group,
      operation,
      pages: pages.get(`${group}.${operation}`) ?? [],
      reasons: WITHOUT_PAGE.filter(({ operations: names }) =>
        (names as Readonly<Record<string, readonly string[]>>)[group]?.includes(operation),
      ).map(({ why }) => why),
    })),
  )
}

/** `users.invite` → the addresses of the pages that call it. */
function operationPages(folder: string): Map<string, readonly string[]> {
  // What each route loads is its own; the rest of the program is around all of them.
  const { 'routes.tsx': routes = '', ...others } = pageFiles(folder)
  const { declarations, reachedFrom } = readSources({
    ...others,
    'routes.tsx': routes.replace(/\bimport\('[^']+'\)/g, ''),
  })
  const calledBy = new Map(declarations.map((it) => [it, callsOf(everyGroup, it, declarations)]))
  const starts: (readonly [pages: readonly string[], from: readonly Declaration[]])[] = [
    [[EVERY], declarations.filter(({ file }) => file === 'main.tsx')],
    ...readRoutes(folder).map(({ addresses, module, component }) => {
      const from = declarations.filter(
        ({ file, names }) => file === module.slice('./'.length) && names.includes(component),
      )
      if (from.length === 0)
        throw new Error(`routes.tsx loads ${component} of ${module}, which is not there.`)
      return [addresses, from] as const
    }),
  ]
  const found = new Map<string, Set<string>>()
  for (const [pages, from] of starts)
    for (const each of reachedFrom(from))
      for (const { group, operation } of calledBy.get(each) ?? []) {
        const key = `${group}.${operation}`
        const known = found.get(key) ?? new Set()
        if (!known.has(EVERY)) for (const it of pages) known.add(it)
        found.set(key, known)
      }
  return new Map([...found].map(([key, pages]) => [key, [...pages].sort()]))
}

export function coveragePage(folder: string): string {
  const covered = readCoverage(folder)
  const withPage = covered.filter(({ pages }) => pages.length > 0).length
  const sections = Object.entries(everyGroup).map(([group, operations]) => {
    const rows = covered
      .filter((it) => it.group === group)
      .map(({ operation, pages, reasons }) => [
        code(operation),
        code(`${operations[operation]?.method} ${operations[operation]?.path}`),
        pages.length > 0 ? pages.map(shown).join(', ') : reasons.join(' '),
      ])
    return stacked(`## ${group}`, table(['Operation', 'Call', 'Page, or why there is none'], rows))
  })
  const about = `${withPage} of the ${covered.length} operations of the contract have a page; of each other one it stands here why it has none.`
  return page('coverage.md', 'Operations and their pages', about, sections).text
}

const shown = (address: string): string =>
  address === EVERY ? EVERY : code(address.replace(/\$(\w+)/g, ':$1'))
