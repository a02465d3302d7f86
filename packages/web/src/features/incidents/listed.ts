// The list that one came from: an incident's page goes to the next of it, and back to it with its filter and cursor.
import type { InboxSearch } from '../../links.ts'

interface Listed {
  readonly hashes: readonly string[]
  readonly search: InboxSearch
}

let listed: Listed = { hashes: [], search: {} }
let cursor: string | undefined
let unfolded: ReadonlySet<string> = new Set()

export const noteList = (next: Listed): void => void (listed = next)
export const noteCursor = (hash: string | undefined): void => void (cursor = hash)
export const noteUnfolded = (sources: ReadonlySet<string>): void => void (unfolded = sources)
export const lastUnfolded = (): ReadonlySet<string> => unfolded
export const lastCursor = (): string | undefined => cursor
/** The filter of the list, without its peek. */
export const listSearch = (): InboxSearch => ({ ...listed.search, peek: '' })

export function neighbours(hash: string): {
  readonly previous: string | undefined
  readonly next: string | undefined
} {
  const at = listed.hashes.indexOf(hash)
  return at < 0
    ? { previous: undefined, next: undefined }
    : { previous: listed.hashes[at - 1], next: listed.hashes[at + 1] }
}
