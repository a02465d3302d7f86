// Counts the enabled tokens of each kind.
import type { Query } from '../../db/query.ts'

/** Kind to its number of tokens. It reads all tokens. */
export async function countTokensByKind(db: Query): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('token')
    .select((e) => ['kind', e.fn.countAll<number>().as('n')])
    .where('enabled', '=', 1)
    .groupBy('kind')
    .execute()
  return new Map(rows.map(({ kind, n }) => [kind, Number(n)]))
}
