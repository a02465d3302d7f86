// Lists of tokens in the order of creation, paged by key, never by offset.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Engine } from '../../db/engine.ts'
import type { Scope } from '../../db/query.ts'
import { containsText } from '../../db/text.ts'
import { selectTokens, type TokenRow } from './store.ts'

export interface TokenFilter {
  readonly flockId?: string
  readonly kind?: string
  readonly enabled?: boolean
  /** Whether it has raised or joined an incident. */
  readonly touched?: boolean
  /** Part of the memo, placement, id, host name or URL, in any case. */
  readonly text?: string
}

/** A page begins after this token. */
export type TokenPosition = Pick<TokenRow, 'created_at' | 'token_id'>

export interface TokenRange {
  readonly order: 'oldest' | 'newest'
  readonly limit: number
  readonly from?: TokenPosition
  /** Reads towards the start of the list; the rows are still answered in the list's order. */
  readonly backward?: boolean
}

type TokenReader = Pick<Engine, 'name' | 'reader' | 'longRead'>

/** Rows of one query on the event loop: more would block other requests. */
const ROWS_PER_READ = 500

/** A page of tokens. A filter that has to scan is read in the reading thread. */
export async function tokenPage(
  engine: TokenReader,
  scope: Scope,
  filter: TokenFilter,
  paging: TokenRange,
): Promise<TokenRow[]> {
  const { limit, backward = false } = paging
  const isScan = (['text', 'kind', 'enabled', 'touched'] as const).some((it) => filter[it] !== undefined)
  let { from } = paging
  const rows: TokenRow[] = []
  for (;;) {
    const size = isScan ? limit : Math.min(ROWS_PER_READ, limit - rows.length)
    const query = chunk(engine, scope, filter, { ...paging, limit: size, ...(from && { from }) })
    const read = isScan ? await engine.longRead(query.compile()) : await query.execute()
    for (const row of read) rows.push(row)
    from = read.at(-1)
    if (read.length < size || rows.length >= limit) return backward ? rows.reverse() : rows
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Every token that matches, oldest first, in chunks. */
export async function* everyToken(
  engine: TokenReader,
  scope: Scope,
  filter: TokenFilter,
): AsyncGenerator<readonly TokenRow[]> {
  let from: TokenPosition | undefined
  do {
    const rows: readonly TokenRow[] = await tokenPage(engine, scope, filter, {
      order: 'oldest',
      limit: ROWS_PER_READ,
      ...(from && { from }),
    })
    yield rows
    from = rows.length === ROWS_PER_READ ? rows.at(-1) : undefined
  } while (from)
}

/** Rows in the order in which they are read. */
function chunk(
  { name, reader }: TokenReader,
  scope: Scope,
  filter: TokenFilter,
  { order, limit, from, backward = false }: TokenRange,
) {
  const isRising = (order === 'oldest') !== backward
  const direction = isRising ? 'asc' : 'desc'
  const query = selectTokens(reader)
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

/** How many tokens match. It reads all of them, so it runs in the reading thread. */
export async function countTokens(
  { name, reader, longRead }: TokenReader,
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
  { flockId, kind, text, enabled, touched }: TokenFilter,
): RawBuilder<SqlBool> {
  const conditions = [
    ...(scope === 'all' ? [] : [sql`t.flock_id IN (${sql.join(scope.length > 0 ? scope : [''])})`]),
    ...(flockId === undefined ? [] : [sql`t.flock_id = ${flockId}`]),
    ...(kind === undefined ? [] : [sql`t.kind = ${kind}`]),
    ...(enabled === undefined ? [] : [sql`t.enabled = ${enabled ? 1 : 0}`]),
    ...(touched === undefined
      ? []
      : [sql`${touched ? sql`` : sql`NOT `}EXISTS (SELECT 1 FROM token_count n WHERE n.number = t.number)`]),
    ...(text === undefined
      ? []
      : [containsText(engine, ['t.memo', 't.placement', 't.token_id', 't.hostname', 't.url'], text)]),
  ]
  return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` AND `)}` : sql<SqlBool>`1 = 1`
}
