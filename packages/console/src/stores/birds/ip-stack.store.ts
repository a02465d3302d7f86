// Birds whose IP stack could not be set as their settings claim, as the Birds last reported it.
import type { Query } from '../../db/query.ts'
import type { BirdRow } from './store.ts'

/** Registered ones, the first by name. */
export const birdsWithOtherStack = (
  db: Query,
  most: number,
): Promise<Pick<BirdRow, 'node_id' | 'name' | 'ip_stack'>[]> =>
  db
    .selectFrom('bird')
    .where('state', '=', 'registered')
    .where('ip_stack', '!=', '')
    .select(['node_id', 'name', 'ip_stack'])
    .orderBy('name')
    .orderBy('node_id')
    .limit(most)
    .execute()
