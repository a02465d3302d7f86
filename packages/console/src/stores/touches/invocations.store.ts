// Ids that touches of tokens carried: a touch with an id that was seen before is a replay.
import type { Limit } from '@rookery/kernel/limit.ts'
import { inList } from '../../db/in-list.ts'
import { keepNewest } from '../../db/keep-newest.ts'
import type { Tx } from '../../db/query.ts'
import type { TouchesTables } from './tables.ts'

export type InvocationRow = TouchesTables['token_invocation']

/** Rows of these tokens and ids; pairs that were not asked for may be among them. */
export function loadInvocations(
  tx: Tx,
  wanted: readonly Pick<InvocationRow, 'token_number' | 'invocation'>[],
): Promise<readonly InvocationRow[]> {
  const numbers = [...new Set(wanted.map(({ token_number }) => token_number))]
  const ids = wanted.map(({ invocation }) => invocation)
  return tx.query
    .selectFrom('token_invocation')
    .selectAll()
    .where(inList(tx.engine, 'token_number', numbers))
    .where(inList(tx.engine, 'invocation', ids))
    .execute()
}

/** Adds or replaces them, and removes the oldest of each token beyond `kept`. */
export async function storeInvocations(tx: Tx, rows: readonly InvocationRow[], kept: Limit): Promise<void> {
  await tx.insertMany('token_invocation', rows, { key: ['token_number', 'invocation'], then: 'replace' })
  for (const value of new Set(rows.map((row) => row.token_number)))
    await keepNewest(tx, {
      table: 'token_invocation',
      id: 'noted_id',
      kept,
      of: { column: 'token_number', value },
    })
}
