// Enabled tokens that were created long ago, and never fired.
import { inList } from '../../db/in-list.ts'
import type { Tx } from '../../db/query.ts'
import { selectTokens, type TokenRow } from './store.ts'

/** Those of these kinds, the oldest first. */
export const oldTokensOfKinds = (
  { query, engine }: Pick<Tx, 'query' | 'engine'>,
  kinds: readonly string[],
  before: number,
  limit: number,
): Promise<Pick<TokenRow, 'token_id' | 'kind' | 'memo' | 'created_at'>[]> =>
  selectTokens(query)
    .where(inList(engine, 't.kind', kinds))
    .where('t.created_at', '<', before)
    .where('t.enabled', '=', 1)
    .where('c.number', 'is', null)
    .orderBy('t.created_at')
    .orderBy('t.token_id')
    .limit(limit)
    .execute()
