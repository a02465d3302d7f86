// Tokens: every query on their table.
import { amongTexts } from '../../db/among.ts'
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
  const rows = await tx.rows<TokenSubject>(
    `SELECT token_id, kind, memo, flock_id, settings, enabled, triggered_count
     FROM token WHERE ${amongTexts(tx.engine, 'token_id')}`,
    [JSON.stringify(tokenIds)],
  )
  return new Map(rows.map((row) => [row.token_id, row]))
}

/** Writes the new counts of touched tokens. */
export const countTriggers = (
  tx: Tx,
  rows: readonly { token_id: string; triggered_count: number; updated_id: number }[],
): Promise<void> => tx.updateMany('token', ['token_id'], rows)

export const addTokens = (tx: Tx, rows: readonly TokenRow[]): Promise<void> =>
  tx.insertMany(
    'token',
    rows.map((row) => ({ ...row })),
  )

/** Whether a Flock has any token. */
export async function hasTokens(db: Query, flockId: string): Promise<boolean> {
  const tokens = db.selectFrom('token').select('token_id').where('flock_id', '=', flockId)
  return (await tokens.limit(1).executeTakeFirst()) !== undefined
}

/** The token, if the scope may see it. */
export async function findToken(db: Query, scope: Scope, tokenId: string): Promise<TokenRow | undefined> {
  const row = await db.selectFrom('token').selectAll().where('token_id', '=', tokenId).executeTakeFirst()
  return row && (scope === 'all' || scope.includes(row.flock_id)) ? row : undefined
}
