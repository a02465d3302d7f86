// Transfers of the Bird's own software.
import type { Query, Scope } from '../../db/query.ts'
import { scopeIds } from '../../db/scope.ts'
import type { BirdRow } from '../birds/store.ts'
import type { TransferRow } from './store.ts'

/** The newest `most` of a Bird, the newest first. */
export const listUpdates = (db: Query, nodeId: string, most: number): Promise<TransferRow[]> =>
  db
    .selectFrom('bird_transfer')
    .selectAll()
    .where('node_id', '=', nodeId)
    .where('kind', '=', 'app')
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()

/** Birds of a Flock with an open update, the first that were begun first. */
export async function updatingBirds(db: Query, scope: Scope, flockId: string): Promise<string[]> {
  let q = db
    .selectFrom('bird')
    .innerJoin('bird_transfer as job', 'job.node_id', 'bird.node_id')
    .select('bird.node_id')
    .where('bird.flock_id', '=', flockId)
    .where('job.kind', '=', 'app')
    .where('job.ended_at', 'is', null)
  if (scope !== 'all') q = q.where('bird.flock_id', 'in', scopeIds(scope))
  const rows = await q.orderBy('job.created_at').orderBy('bird.node_id').execute()
  return rows.map(({ node_id }) => node_id)
}

export type UpdateOutcome = Pick<TransferRow, 'job_id' | 'node_id' | 'state' | 'reason' | 'ended_at'> & {
  /** Whether the Bird is connected; null when it is there no more. */
  readonly live: number | null
}

/** Every Bird that was given this release by its link, as often as it was: a mirror may fail for reasons of its own. */
export const outcomesOf = (db: Query, tag: string): Promise<UpdateOutcome[]> =>
  db
    .selectFrom('bird_transfer as job')
    .leftJoin('bird', 'bird.node_id', 'job.node_id')
    .select(['job.job_id', 'job.node_id', 'job.state', 'job.reason', 'job.ended_at', 'bird.live'])
    .where('job.update_tag', '=', tag)
    .where('job.source', '=', '')
    .execute()

/** How many Birds are being given this release. */
export async function openUpdates(db: Query, tag: string): Promise<number> {
  const rows = await db
    .selectFrom('bird_transfer')
    .select('job_id')
    .where('update_tag', '=', tag)
    .where('ended_at', 'is', null)
    .execute()
  return rows.length
}

/** Registered Birds that take updates, have another version, and are not being updated; the first registered first. */
export function birdsWithout(
  db: Query,
  version: string,
  scope: Scope,
  flockId?: string,
): Promise<OutdatedBird[]> {
  let q = db
    .selectFrom('bird')
    .leftJoin('bird_transfer as job', (join) =>
      join
        .onRef('job.node_id', '=', 'bird.node_id')
        .on('job.kind', '=', 'app')
        .on('job.ended_at', 'is', null),
    )
    .select(['bird.node_id', 'bird.name', 'bird.settings', 'bird.sensor', 'bird.version'])
    .select(['bird.takes_updates', 'bird.live'])
    .where('bird.state', '=', 'registered')
    .where('bird.takes_updates', '=', 1)
    .where('bird.version', '<>', version)
    .where('job.job_id', 'is', null)
  if (flockId !== undefined) q = q.where('bird.flock_id', '=', flockId)
  if (scope !== 'all') q = q.where('bird.flock_id', 'in', scopeIds(scope))
  return q.orderBy('bird.registered_at').orderBy('bird.node_id').execute()
}

export type OutdatedBird = Pick<
  BirdRow,
  'node_id' | 'name' | 'settings' | 'sensor' | 'version' | 'takes_updates' | 'live'
>
