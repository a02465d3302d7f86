// The cursors of a page, with the address that each stands for.
import type { Call } from '../../http/call.ts'

export interface Cursors {
  readonly next: string | null
  readonly prev: string | null
}

/** The object `cursor` of a list; the key stands in the links only if it came in the query. */
export function links({ next, prev }: Cursors, path: string, { baseUrl, keyInQuery }: Call) {
  const link = (cursor: string | null): string | null => {
    if (cursor === null) return null
    const query = new URLSearchParams({ cursor, ...(keyInQuery !== undefined && { auth_token: keyInQuery }) })
    return `${baseUrl}/api/v1${path}?${query.toString()}`
  }
  return { next, next_link: link(next), prev, prev_link: link(prev) }
}
