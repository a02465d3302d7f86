// Which methods a path takes, for the answer to another one (RFC 9110, 15.5.6). Fastify's own question reads a path as a
// pattern, which a stranger may write so that it throws.
import type { FastifyInstance } from 'fastify'

export interface ServedMethods {
  add(method: string, path: string): void
  /** In the order GET, POST, DELETE; none for a path that is not served. */
  of(path: string): readonly string[]
}

const SHOWN = ['GET', 'POST', 'DELETE']

/** Notes the routes that the server is given from now on, but patterns. */
export function openServedMethods(server: FastifyInstance): ServedMethods {
  const methods = new Map<string, Set<string>>()
  const add: ServedMethods['add'] = (method, path) => {
    const known = methods.get(path) ?? new Set()
    methods.set(path, known.add(method))
  }
  server.addHook('onRoute', ({ method, url }) => {
    if (!url.endsWith('*')) for (const it of [method].flat()) add(it, url)
  })
  return { add, of: (path) => SHOWN.filter((method) => methods.get(path)?.has(method)) }
}
