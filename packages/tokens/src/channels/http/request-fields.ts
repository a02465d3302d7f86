// The event keys that kinds share whose token is an HTTP request.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { HttpVisit } from './visit.ts'

/** For a kind's descriptor: all that `requestFields` may have. */
export const REQUEST_KEYS = ['method', 'useragent', 'referer', 'query'] as const

/** `query` only where the URL had one: all behind the first question mark (RFC 3986, 3.4). */
export function requestFields({ method, path, headers }: HttpVisit): EventFields {
  const at = path.indexOf('?')
  return {
    method,
    useragent: headers['User-Agent'] ?? '',
    referer: headers['Referer'] ?? '',
    ...(at < 0 ? {} : { query: path.slice(at + 1) }),
  }
}

/** A parameter of the URL's query, decoded; undefined when it is missing, or not UTF-8. */
export const queryParameter = (visit: HttpVisit, name: string): string | undefined =>
  queryOf(visit).get(name) ?? undefined

/** All of them. */
export function queryOf({ path }: HttpVisit): URLSearchParams {
  const at = path.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : path.slice(at + 1))
}
