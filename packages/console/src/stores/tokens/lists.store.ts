// Tokens in lists, by the time when they were made: pages by key, never by offset.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Engine } from '../../db/engine.ts'
import type { Scope } from '../../db/query.ts'
import { containsText } from '../../db/text.ts'
import { counted, type TokenRow } from './store.ts'

export interface TokenFilter {
  readonly flockId?: string
  readonly kind?: string
  /** Part of the memo, id, host name or URL, in any case. */
  readonly text?: string
}

/** Where a page begins: behind this token. */
export type TokenPosition = Pick<TokenRow, 'created_at' | 'token_id'>

export interface TokenPaging {
  readonly order: 'oldest' | 'newest'
  readonly limit: number
  readonly from?: TokenPosition
  /** Towards the start of the list; the rows come in the list's order all the same. */
  readonly backward?: boolean
}

/** A page of tokens; one that must be searched for is read away from the event loop. */
export async function tokenPage(
  { name, reader, longRead }: Pick<Engine, 'name' | 'reader' | 'longRead'>,
  scope: Scope,
  filter: TokenFilter,
  { order, limit, from, backward = false }: TokenPaging,
): Promise<TokenRow[]> {
  const isRising = (order === 'oldest') !== backward
  const direction = isRising ? 'asc' : 'desc'
  let query = counted(reader)
    .where(matches(name, scope, filter))
    .orderBy('t.created_at', direction)
    .orderBy('t.token_id', direction)
    .limit(limit)
  if (from) {
    query = query.where((e) =>
      e(
        e.refTuple('t.created_at', 't.token_id'),
        isRising ? '>' : '<',
        e.tuple(from.created_at, from.token_id),
      ),
    )
  }
  const isSearched = filter.text !== undefined || filter.kind !== undefined
  const rows = isSearched ? await longRead(query.compile()) : await query.execute()
  return backward ? rows.reverse() : rows
}

/** How many match; walks them all, so it runs away from the event loop. */
export async function countTokens(
  { name, reader, longRead }: Pick<Engine, 'name' | 'reader' | 'longRead'>,
  scope: Scope,
  filter: TokenFilter,
): Promise<number> {
  const query = reader
    .selectFrom('token as t')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where(matches(name, scope, filter))
  const [row] = await longRead(query.compile())
  return Number(row?.n ?? 0)
}

function matches(
  engine: Engine['name'],
  scope: Scope,
  { flockId, kind, text }: TokenFilter,
): RawBuilder<SqlBool> {
  const conditions = [
    ...(scope === 'all' ? [] : [sql`t.flock_id IN (${sql.join(scope.length > 0 ? scope : [''])})`]),
    ...(flockId === undefined ? [] : [sql`t.flock_id = ${flockId}`]),
    ...(kind === undefined ? [] : [sql`t.kind = ${kind}`]),
    ...(text === undefined
      ? []
      : [containsText(engine, ['t.memo', 't.token_id', 't.hostname', 't.url'], text)]),
  ]
  return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` AND `)}` : sql<SqlBool>`1 = 1`
}
