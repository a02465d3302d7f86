// The pages of the console, as packages/web/src/routes.tsx says them: addresses, and the component that is loaded for them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { links } from '../../packages/web/src/links.ts'

export const ROUTES_FILE = 'packages/web/src/routes.tsx'

/** One page: `/birds/$id` and `/birds/$id/$tab` are addresses of the same. */
interface Route {
  readonly addresses: readonly string[]
  /** As the import says it, such as `./features/birds/page.tsx`. */
  readonly module: string
  readonly component: string
}

/** A page whose address cannot be read is an error: it would be missing wherever pages are listed. */
export function readRoutes(folder: string): Route[] {
  const text = readFileSync(join(folder, ROUTES_FILE), 'utf8')
  const lazy = /lazyRouteComponent\(\s*\(\) => import\('([^']+)'\),\s*'(\w+)'/g
  return [...text.matchAll(lazy)].map(({ 1: module = '', 2: component = '', index }) => {
    const start = text.lastIndexOf('createRoute({', index)
    const [, literal, name] =
      /\bpath: (?:'([^']+)'|links\.(\w+))/.exec(text.slice(start, index)) ?? ([] as readonly undefined[])
    // A function that makes several routes says their addresses in the type of its `path`.
    const head = text.slice(text.lastIndexOf('\nconst ', start), start)
    const addresses =
      literal !== undefined
        ? [literal]
        : name !== undefined
          ? [String((links as Readonly<Record<string, unknown>>)[name])]
          : [...head.matchAll(/'(\/[^']*)'/g)].map(([, address = '']) => address)
    if (addresses.length === 0 || addresses.some((it) => !it.startsWith('/')))
      throw new Error(
        `${ROUTES_FILE}: the address of ${component} is not readable. Write it as path: '/birds', path: links.birds, or as the type of a parameter "path".`,
      )
    return { addresses, module, component }
  })
}
