// The routes of the API by path and method. A start fills maps, where fastify would build a tree and a context for each of
// some 500 routes: a third of the time in which a console opens.
import type { Route } from '@rookery/contract/implement.ts'
import type { Call } from './call.ts'

export interface RouteTable {
  /** The route of this method and path; HEAD finds that of GET. */
  find(method: string, path: string): Route<Call> | undefined
  /** Every method and path that is served, aliases among them. */
  readonly served: readonly (readonly [method: string, path: string])[]
}

/** DELETE paths take POST, too. Throws for two operations of one method and path. */
export function routeTable(routes: readonly Route<Call>[]): RouteTable {
  const byMethod = new Map<string, Map<string, Route<Call>>>()
  const served = routes.flatMap((route) => spellings(route).map((spelling) => [route, ...spelling] as const))
  for (const [route, method, path] of served) {
    const byPath = byMethod.get(method) ?? new Map<string, Route<Call>>()
    byMethod.set(method, byPath)
    if (byPath.has(path)) throw new Error(`Two operations are served at ${method} ${path}.`)
    byPath.set(path, route)
  }
  return {
    find: (method, path) => byMethod.get(method === 'HEAD' ? 'GET' : method)?.get(path),
    served: served.map(([, method, path]) => [method, path]),
  }
}

const spellings = ({ operation: { method, path, aliases } }: Route<Call>) =>
  [path, ...aliases].flatMap((spelling) =>
    (method === 'DELETE' ? ['DELETE', 'POST'] : [method]).map((it) => [it, spelling] as const),
  )
