// Rows of batches, and the tokens that they became.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query, Tx } from '../../db/query.ts'
import { findTokens, type TokenRow } from './store.ts'
import type { TokenTables } from './tables.ts'

export type BatchRow = Omit<TokenTables['token_batch_row'], 'token_id'>

interface NewBatchToken {
  readonly row: Pick<TokenRow, 'token_id'>
  readonly batchRow?: BatchRow
}

/** What is stored of the batch rows of one transaction. */
export interface BatchRows {
  /** Whether the row has a token, or was used for another. False without a row. */
  has(row: BatchRow | undefined): boolean
  /** Its token; a `conflict` where the row was used for another. */
  tokenOf(row: BatchRow | undefined): TokenRow | Fault | undefined
  add(tokens: readonly NewBatchToken[]): Promise<void>
}

const keyOf = ({ batch_id, nth }: Pick<BatchRow, 'batch_id' | 'nth'>): string => `${batch_id} ${nth}`

export async function openBatchRows(tx: Tx, rows: readonly BatchRow[]): Promise<BatchRows> {
  const known = new Map<string, TokenTables['token_batch_row']>()
  for (const batchId of new Set(rows.map(({ batch_id }) => batch_id))) {
    const numbers = rows.filter(({ batch_id }) => batch_id === batchId).map(({ nth }) => nth)
    for (const row of await readBatchRows(tx.query, batchId, Math.min(...numbers), Math.max(...numbers)))
      known.set(keyOf(row), row)
  }
  const ids = Array.from(known.values(), ({ token_id }) => token_id)
  const tokens = new Map(
    (ids.length === 0 ? [] : await findTokens(tx, 'all', ids)).map((token) => [token.token_id, token]),
  )
  const find = (row: BatchRow | undefined): TokenTables['token_batch_row'] | undefined =>
    row && known.get(keyOf(row))
  return {
    has: (row) => find(row) !== undefined,
    tokenOf(row) {
      const stored = find(row)
      if (!stored || !row) return undefined
      return stored.digest === row.digest ? tokens.get(stored.token_id) : otherRow(row)
    },
    add: (added) =>
      tx.insertMany(
        'token_batch_row',
        added.flatMap(({ row: { token_id }, batchRow }) => (batchRow ? [{ ...batchRow, token_id }] : [])),
      ),
  }
}

/** The `conflict` of a batch that is repeated with another row in this place. */
export const otherRow = ({ batch_id, nth }: Pick<BatchRow, 'batch_id' | 'nth'>): Fault =>
  new Fault('conflict', `Row ${nth} of the batch ${batch_id} was another one before: use another batch_id.`)

/** Those of a batch from one row to another, both included. */
export const readBatchRows = (
  db: Query,
  batchId: string,
  from: number,
  to: number,
): Promise<TokenTables['token_batch_row'][]> =>
  db
    .selectFrom('token_batch_row')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('nth', '>=', from)
    .where('nth', '<=', to)
    .execute()
