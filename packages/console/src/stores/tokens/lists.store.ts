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

type Reading = Pick<Engine, 'name' | 'reader' | 'longRead'>

/** Rows that are read in one go: more would hold up whoever else waits for this thread. */
const AT_ONCE = 500

/** A page of tokens; one that must be searched for is read away from the event loop. */
export async function tokenPage(
  engine: Reading,
  scope: Scope,
  filter: TokenFilter,
  paging: TokenPaging,
): Promise<TokenRow[]> {
  const { limit, backward = false } = paging
  const isSearched = filter.text !== undefined || filter.kind !== undefined
  let { from } = paging
  const rows: TokenRow[] = []
  for (;;) {
    const size = isSearched ? limit : Math.min(AT_ONCE, limit - rows.length)
    const query = portion(engine, scope, filter, { ...paging, limit: size, ...(from && { from }) })
    const read = isSearched ? await engine.longRead(query.compile()) : await query.execute()
    for (const row of read) rows.push(row)
    from = read.at(-1)
    if (read.length < size || rows.length >= limit) return backward ? rows.reverse() : rows
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Every token that matches, oldest first, a portion at a time. */
export async function* everyToken(
  engine: Reading,
  scope: Scope,
  filter: TokenFilter,
): AsyncGenerator<readonly TokenRow[]> {
  let from: TokenPosition | undefined
  do {
    const rows: readonly TokenRow[] = await tokenPage(engine, scope, filter, {
      order: 'oldest',
      limit: AT_ONCE,
      ...(from && { from }),
    })
    yield rows
    from = rows.length === AT_ONCE ? rows.at(-1) : undefined
  } while (from)
}

/** In the direction in which it is read. */
function portion(
  { name, reader }: Reading,
  scope: Scope,
  filter: TokenFilter,
  { order, limit, from, backward = false }: TokenPaging,
) {
  const isRising = (order === 'oldest') !== backward
  const direction = isRising ? 'asc' : 'desc'
  const query = counted(reader)
    .where(matches(name, scope, filter))
    .orderBy('t.created_at', direction)
    .orderBy('t.token_id', direction)
    .limit(limit)
  if (!from) return query
  return query.where((e) =>
    e(
      e.refTuple('t.created_at', 't.token_id'),
      isRising ? '>' : '<',
      e.tuple(from.created_at, from.token_id),
    ),
  )
}

/** How many match; walks them all, so it runs away from the event loop. */
export async function countTokens(
  { name, reader, longRead }: Reading,
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
