// Birds that have fallen silent, Birds that are back, and open outages.
import type { Query, Scope } from '../../db/query.ts'
import type { BirdRow } from './store.ts'

const LIVENESS_COLUMNS = [
  'node_id',
  'state',
  'flock_id',
  'name',
  'ip_address',
  'ippers',
  'mac_address',
  'last_seen_at',
  'offline_since',
  'reconnect_count',
  'ignore_general',
  'ignore_disconnect',
  'ignore_reconnect',
] as const satisfies readonly (keyof BirdRow)[]

export type LivenessBird = Pick<BirdRow, (typeof LIVENESS_COLUMNS)[number]>

/** Birds that count as live and were last seen before `silentSince`, the longest silent first. */
export const silentBirds = (db: Query, silentSince: number): Promise<LivenessBird[]> =>
  db
    .selectFrom('bird')
    .select(LIVENESS_COLUMNS)
    .where('live', '=', 1)
    .where('last_seen_at', '<', silentSince)
    .orderBy('last_seen_at')
    .orderBy('node_id')
    .execute()

/** Live Birds whose outage is still open. */
export const returnedBirds = (db: Query): Promise<LivenessBird[]> =>
  db
    .selectFrom('bird')
    .select(LIVENESS_COLUMNS)
    .where('offline_since', 'is not', null)
    .where('live', '=', 1)
    .orderBy('node_id')
    .execute()

/** Registered Birds whose outage is open and began at `since` or later. */
export const outagesSince = (db: Query, since: number): Promise<LivenessBird[]> =>
  db
    .selectFrom('bird')
    .select(LIVENESS_COLUMNS)
    .where('offline_since', '>=', since)
    .where('state', '=', 'registered')
    .execute()

/** Registered Birds in these Flocks whose outage is still open. */
export async function openOutages(
  db: Query,
  scope: Scope,
  flockId?: string,
): Promise<Pick<BirdRow, 'node_id' | 'name' | 'flock_id' | 'offline_since'>[]> {
  let q = db
    .selectFrom('bird')
    .select(['node_id', 'name', 'flock_id', 'offline_since'])
    .where('offline_since', 'is not', null)
    .where('live', '=', 0)
    .where('state', '=', 'registered')
  if (scope !== 'all') q = q.where('flock_id', 'in', scope.length > 0 ? scope : [''])
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  return q.execute()
}

/** Registered Birds that count as live. */
export async function countLive(db: Query): Promise<number> {
  const row = await db
    .selectFrom('bird')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('live', '=', 1)
    .where('state', '=', 'registered')
    .executeTakeFirstOrThrow()
  return Number(row.n)
}
