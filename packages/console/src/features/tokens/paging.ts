// Pages of a list of tokens. The cursor carries the filter and the position, so it is all that the next page needs.
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks, type CursorLinks } from '../../http/cursor-links.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import { countTokens, tokenPage, type TokenFilter, type TokenRange } from '../../stores/tokens/lists.store.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

/** A list, as its first page is requested. */
export interface TokenList {
  /** The path below `/api/v1`: for links. A cursor is valid for this path alone. */
  readonly path: string
  readonly filter: TokenFilter
  readonly order: TokenRange['order']
  readonly limit: number | undefined
}

export interface TokenListPage {
  readonly rows: readonly TokenRow[]
  readonly cursor: CursorLinks
  /** From 1. */
  readonly number: number
  /** Counted when the first page was read; an empty list has one page. */
  readonly pages: number
  readonly total: number
}

interface CursorState extends TokenRange {
  readonly filter: TokenFilter
  readonly page: number
  /** Counted once, when the first page is read: counting reads every match. */
  readonly total: number
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 5_000

export async function readTokenPage(
  { engine, vault }: Pick<AppContext, 'engine' | 'vault'>,
  call: Call,
  { path, ...requested }: TokenList,
  cursor: string | undefined,
): Promise<TokenListPage> {
  const { scope } = call.caller
  const state: CursorState =
    cursor === undefined
      ? {
          filter: requested.filter,
          order: requested.order,
          limit: Math.min(requested.limit ?? DEFAULT_LIMIT, MAX_LIMIT),
          page: 1,
          total: await countTokens(engine, scope, requested.filter),
        }
      : (readCursor(vault, path, cursor) as CursorState)
  const { limit, from, backward = false, page, total } = state

  // One row more than is shown: if it is there, so is another page.
  const fetched = await tokenPage(engine, scope, state.filter, { ...state, limit: limit + 1 })
  const hasMore = fetched.length > limit
  const rows = backward ? fetched.slice(-limit) : fetched.slice(0, limit)

  const cursorAt = (row: TokenRow | undefined, towardsStart: boolean): string | null =>
    row === undefined
      ? null
      : signCursor(vault, path, {
          ...state,
          from: { created_at: row.created_at, token_id: row.token_id },
          backward: towardsStart,
          page: towardsStart ? Math.max(1, page - 1) : page + 1,
        } satisfies CursorState)
  const next = (backward ? from !== undefined : hasMore) ? cursorAt(rows.at(-1), false) : null
  const prev = (backward ? hasMore : from !== undefined) ? cursorAt(rows[0], true) : null
  return {
    rows,
    cursor: cursorLinks({ next, prev }, path, call),
    number: page,
    pages: Math.max(1, Math.ceil(total / limit)),
    total,
  }
}
