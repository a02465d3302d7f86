// The `cursor` of a paged answer: the next and the previous page, also as links.
import type { Call } from './call.ts'

export interface Cursors {
  readonly next: string | null
  readonly prev: string | null
}

export interface CursorLinks extends Cursors {
  readonly next_link: string | null
  readonly prev_link: string | null
}

/**
 * `path` is behind `/api/v1`. A key that came in the query goes into the links, too; so do `required` parameters, which the
 * operation needs besides the cursor.
 */
export function cursorLinks(
  { next, prev }: Cursors,
  path: string,
  { baseUrl, keyInQuery }: Pick<Call, 'baseUrl' | 'keyInQuery'>,
  required: Readonly<Record<string, string>> = {},
): CursorLinks {
  const others = Object.entries(required)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')
  const key = keyInQuery === undefined ? '' : `&auth_token=${encodeURIComponent(keyInQuery)}`
  // A cursor needs no escaping in a query.
  const link = (cursor: string | null): string | null =>
    cursor === null ? null : `${baseUrl}/api/v1${path}?cursor=${cursor}${others}${key}`
  return { next, next_link: link(next), prev, prev_link: link(prev) }
}
