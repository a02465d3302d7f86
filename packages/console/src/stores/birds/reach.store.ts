// Birds whose decoys their own machine alone can touch, as the Birds last reported it.
import type { Query } from '../../db/query.ts'
import type { BirdRow } from './store.ts'

/** Registered ones, the first by name. */
export const birdsOnLoopback = (
  db: Query,
  most: number,
): Promise<Pick<BirdRow, 'node_id' | 'name' | 'public_ip'>[]> =>
  db
    .selectFrom('bird')
    .where('state', '=', 'registered')
    .where('reach', '=', 'own-machine')
    .select(['node_id', 'name', 'public_ip'])
    .orderBy('name')
    .orderBy('node_id')
    .limit(most)
    .execute()
