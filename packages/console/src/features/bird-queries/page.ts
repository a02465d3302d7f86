// A page of a list of Birds as it was asked for, and as its cursor carries it: the cursor alone resumes, but for the time zone.
import type { birdQueries } from '@rookery/contract/groups/bird-queries.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { BirdPosition } from '../../stores/birds/lists.store.ts'

export interface Page {
  readonly tz: string
  /** Undefined: the list is whole. */
  readonly limit?: number
  /** The Bird before the page. */
  readonly after?: BirdPosition
}

const MOST = 5_000

/** `list` is the path of its operation; the cursor of another list is a `bad-input`. */
export function readPage(
  { tz, limit, cursor }: Params<typeof birdQueries.all>,
  list: string,
  vault: Vault,
): Page {
  if (cursor !== undefined) {
    const page = readCursor(vault, list, cursor) as Page
    return { ...page, tz: tz ?? page.tz }
  }
  return { tz: tz ?? 'UTC', ...(limit !== undefined && { limit: Math.min(limit, MOST) }) }
}

export const nextCursor = (
  page: Page,
  list: string,
  { first_seen_at, node_id }: BirdPosition,
  vault: Vault,
): string => signCursor(vault, list, { ...page, after: { first_seen_at, node_id } } satisfies Page)
