// The search of a folder, which QUERY_DIRECTORY begins or goes on with ([MS-SMB2] 3.3.5.18).
import { startOf } from '../../../../windows/fields.ts'
import type { Search } from '../state.ts'

export const QUERY_FLAG = { restart: 1, single: 2, reopen: 0x10 } as const
export const LIST_RIGHT = 1
/** In characters, one more than the longest name has: what is longer matches none. */
const MAX_PATTERN = 256

/** Only the first request of a search names its pattern; for some servers the one that restarts it may, too. */
export function searchOf(
  search: Search | undefined,
  asked: string,
  flags: number,
  mayChange: boolean,
): Search {
  const pattern = startOf(asked, MAX_PATTERN)
  if (!search || flags & QUERY_FLAG.reopen) return { pattern, position: 0, hasFound: false }
  if ((flags & QUERY_FLAG.restart) === 0) return search
  return { pattern: (mayChange && pattern) || search.pattern, position: 0, hasFound: false }
}
