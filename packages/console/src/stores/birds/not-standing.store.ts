// Birds whose settings are not wholly in force.
import type { Query } from '../../db/query.ts'
import type { BirdRow } from './store.ts'

export type FailingBird = Pick<BirdRow, 'node_id' | 'name' | 'settings_failure' | 'not_standing'>

/** Decoys of all registered Birds that do not listen. */
export async function countNotStanding(db: Query): Promise<number> {
  // The index `bird_by_not_standing` is partial: both engines use it only if the query repeats its predicate.
  const { count } = await db
    .selectFrom('bird')
    .where((e) => e('not_standing_count', '>', e.lit(0)))
    .where('state', '=', 'registered')
    .select(({ fn }) => fn.sum<number | null>('not_standing_count').as('count'))
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}

/** Registered Birds whose settings failed, were rolled back, or have decoys that do not listen; the first ones by name. */
export const failingBirds = (db: Query, most: number): Promise<FailingBird[]> =>
  db
    .selectFrom('bird')
    .where('state', '=', 'registered')
    .where((e) => e.or([e('settings_failure', '!=', ''), e('not_standing_count', '>', 0)]))
    .select(['node_id', 'name', 'settings_failure', 'not_standing'])
    .orderBy('name')
    .orderBy('node_id')
    .limit(most)
    .execute()
