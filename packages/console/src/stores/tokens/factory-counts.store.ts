// How many tokens a factory has; tokens that were deleted do not count.
import type { Query } from '../../db/query.ts'

/** `factoryKeyId` must not be empty: the index `token_factory` has no other tokens. */
export async function countTokensOfFactory(db: Query, factoryKeyId: string): Promise<number> {
  const row = await db
    .selectFrom('token')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('factory_key_id', '=', factoryKeyId)
    // SQLite uses a partial index only if the query repeats its predicate.
    .where('factory_key_id', '!=', '')
    .executeTakeFirstOrThrow()
  return Number(row.n)
}
