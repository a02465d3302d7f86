// A list of tokens as it was asked for, and as its cursor carries it: the cursor alone resumes.
import type { Base } from '../../base.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks, type CursorLinks } from '../../http/links.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import {
  countTokens,
  tokenPage,
  type TokenFilter,
  type TokenPaging,
} from '../../stores/tokens/lists.store.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

/** What a list is asked for at its first page. */
export interface TokenList {
  /** The path behind `/api/v1`: for links, and the list that cursors belong to. */
  readonly path: string
  readonly filter: TokenFilter
  readonly order: TokenPaging['order']
  readonly limit: number | undefined
}

export interface TokenListPage {
  readonly rows: readonly TokenRow[]
  readonly cursor: CursorLinks
  /** From 1. */
  readonly number: number
  /** Of the first page's moment; an empty list has one page. */
  readonly pages: number
  readonly total: number
}

interface State extends TokenPaging {
  readonly filter: TokenFilter
  readonly page: number
  /** Matches when the first page was read: counting walks them all. */
  readonly total: number
}

const PAGE = 100
const MOST = 5_000

export async function readTokenPage(
  { engine, vault }: Pick<Base, 'engine' | 'vault'>,
  call: Call,
  { path, ...asked }: TokenList,
  cursor: string | undefined,
): Promise<TokenListPage> {
  const { scope } = call.caller
  const state: State =
    cursor === undefined
      ? {
          filter: asked.filter,
          order: asked.order,
          limit: Math.min(asked.limit ?? PAGE, MOST),
          page: 1,
          total: await countTokens(engine, scope, asked.filter),
        }
      : (readCursor(vault, path, cursor) as State)
  const { limit, from, backward = false, page, total } = state

  // One more than is shown, to see whether there is more.
  const fetched = await tokenPage(engine, scope, state.filter, { ...state, limit: limit + 1 })
  const hasMore = fetched.length > limit
  const rows = backward ? fetched.slice(-limit) : fetched.slice(0, limit)

  const to = (beside: TokenRow | undefined, towardsStart: boolean): string | null =>
    beside === undefined
      ? null
      : signCursor(vault, path, {
          ...state,
          from: { created_at: beside.created_at, token_id: beside.token_id },
          backward: towardsStart,
          page: towardsStart ? Math.max(1, page - 1) : page + 1,
        } satisfies State)
  const next = (backward ? from !== undefined : hasMore) ? to(rows.at(-1), false) : null
  const prev = (backward ? hasMore : from !== undefined) ? to(rows[0], true) : null
  return {
    rows,
    cursor: cursorLinks({ next, prev }, path, call),
    number: page,
    pages: Math.max(1, Math.ceil(total / limit)),
    total,
  }
}
