// Counts the tokens of each Flock.
import type { Query } from '../../db/query.ts'

/** Flock to its number of tokens, for one Flock or all; a Flock without tokens is left out. */
export async function countTokensByFlock(db: Query, flockId?: string): Promise<Map<string, number>> {
  let q = db
    .selectFrom('token')
    .select((e) => ['flock_id', e.fn.countAll<number>().as('n')])
    .groupBy('flock_id')
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  return new Map((await q.execute()).map(({ flock_id, n }) => [flock_id, Number(n)]))
}
