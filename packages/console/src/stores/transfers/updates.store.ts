// Transfers of the Bird's own software.
import type { Query, Scope } from '../../db/query.ts'
import { scopeIds } from '../../db/scope.ts'
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
