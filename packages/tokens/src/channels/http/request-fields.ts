// The event keys that kinds share whose token is an HTTP request.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { HttpVisit } from './visit.ts'

/** For a kind's descriptor: all that `requestFields` may have. */
export const REQUEST_KEYS = ['method', 'useragent', 'referer', 'query'] as const

/** `query` only where the URL had one. */
export function requestFields({ method, path, headers }: HttpVisit): EventFields {
  const query = path.split('?')[1]
  return {
    method,
    useragent: headers['User-Agent'] ?? '',
    referer: headers['Referer'] ?? '',
    ...(query === undefined ? {} : { query }),
  }
}

/** A parameter of the URL's query, decoded; undefined when it is missing, or not UTF-8. */
export function queryParameter({ path }: HttpVisit, name: string): string | undefined {
  const at = path.indexOf('?')
  return at < 0 ? undefined : (new URLSearchParams(path.slice(at + 1)).get(name) ?? undefined)
}
