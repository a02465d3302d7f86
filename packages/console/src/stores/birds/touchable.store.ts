// Live Birds of which it is known where their decoys listen.
import type { Query, Scope } from '../../db/query.ts'
import { nonEmpty } from '../incidents/filter.store.ts'
import type { BirdRow } from './store.ts'

export type TouchableBird = Pick<
  BirdRow,
  'node_id' | 'name' | 'ip_address' | 'reach' | 'port_offset' | 'settings' | 'not_standing'
>

/** The newest first. */
export function touchableBirds(
  db: Query,
  scope: Scope,
  flockId: string | undefined,
  most: number,
): Promise<TouchableBird[]> {
  let q = db
    .selectFrom('bird')
    .select(['node_id', 'name', 'ip_address', 'reach', 'port_offset', 'settings', 'not_standing'])
    .where('state', '=', 'registered')
    .where('live', '=', 1)
    .where('port_offset', '>=', 0)
  if (scope !== 'all') q = q.where('flock_id', 'in', nonEmpty(scope))
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  return q.orderBy('first_seen_at', 'desc').orderBy('node_id', 'desc').limit(most).execute()
}
