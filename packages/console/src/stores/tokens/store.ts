// Tokens: every query on their table.
import { among } from '../../db/among.ts'
import type { Query, Scope, Tx } from '../../db/query.ts'
import type { TokenTables } from './tables.ts'

export type TokenRow = TokenTables['token']

/** What a touch needs to know of its token. */
export type TokenSubject = Pick<
  TokenRow,
  'token_id' | 'kind' | 'memo' | 'flock_id' | 'settings' | 'enabled' | 'triggered_count'
>

export async function loadTokenSubjects(
  tx: Tx,
  tokenIds: readonly string[],
): Promise<Map<string, TokenSubject>> {
  const rows = await tx.query
    .selectFrom('token')
    .select(['token_id', 'kind', 'memo', 'flock_id', 'settings', 'enabled', 'triggered_count'])
    .where(among(tx.engine, 'token_id', tokenIds))
    .execute()
  return new Map(rows.map((row) => [row.token_id, row]))
}

/** Writes the new counts of touched tokens. */
export const countTriggers = (
  tx: Tx,
  rows: readonly { token_id: string; triggered_count: number; updated_id: number }[],
): Promise<void> => tx.updateMany('token', ['token_id'], rows)

export async function addToken(tx: Tx, row: TokenRow): Promise<void> {
  await tx.insertMany('token', [{ ...row }])
}

/** The token, if the scope may see it. */
export async function findToken(db: Query, scope: Scope, tokenId: string): Promise<TokenRow | undefined> {
  const row = await db.selectFrom('token').selectAll().where('token_id', '=', tokenId).executeTakeFirst()
  return row && (scope === 'all' || scope.includes(row.flock_id)) ? row : undefined
}
