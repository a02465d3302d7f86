// The `cursor` of a paged answer: where it goes on, and where it came from, also as addresses to follow.
import type { Call } from './call.ts'

export interface Cursors {
  readonly next: string | null
  readonly prev: string | null
}

export interface CursorLinks extends Cursors {
  readonly next_link: string | null
  readonly prev_link: string | null
}

/** `path` is behind `/api/v1`. A key that came in the query goes into the links, too. */
export function cursorLinks(
  { next, prev }: Cursors,
  path: string,
  { baseUrl, keyInQuery }: Pick<Call, 'baseUrl' | 'keyInQuery'>,
): CursorLinks {
  const link = (cursor: string | null): string | null => {
    if (cursor === null) return null
    const query = new URLSearchParams({ cursor, ...(keyInQuery !== undefined && { auth_token: keyInQuery }) })
    return `${baseUrl}/api/v1${path}?${query.toString()}`
  }
  return { next, next_link: link(next), prev, prev_link: link(prev) }
}
