// Bulk actions, by the numbers that they gave to their incidents: undoing one means those that still bear them.
import { nonEmpty } from '../incidents/filter.store.ts'
import type { Query, Scope, Tx } from '../../db/query.ts'
import type { BatchAction, BatchTables } from './tables.ts'

export type Stretch = Omit<BatchTables['incident_batch_stretch'], 'batch_id'>

export interface Batch {
  readonly action: BatchAction
  readonly stretches: readonly Stretch[]
}

/** Called in the transaction of each chunk; the first one makes the batch. */
export async function addStretch(
  tx: Tx,
  batch: BatchTables['incident_batch'],
  stretch: Stretch,
): Promise<void> {
  await tx.insertMany('incident_batch', [{ ...batch }], { key: ['batch_id'], then: 'skip' })
  await tx.insertMany('incident_batch_stretch', [{ batch_id: batch.batch_id, ...stretch }])
}

export async function findBatch(db: Query, batchId: string): Promise<Batch | undefined> {
  const batch = await db
    .selectFrom('incident_batch')
    .select('action')
    .where('batch_id', '=', batchId)
    .executeTakeFirst()
  if (!batch) return undefined
  const stretches = await db
    .selectFrom('incident_batch_stretch')
    .select(['first_id', 'last_id', 'n'])
    .where('batch_id', '=', batchId)
    .orderBy('first_id')
    .execute()
  return { action: batch.action, stretches }
}

/** The incidents that still bear a number of the stretch: `incident_by_update` leads to them, deleted ones by an index of their own. */
export async function unchangedSince(
  db: Query,
  scope: Scope,
  { first_id, last_id }: Stretch,
  isDeleted: boolean,
): Promise<number[]> {
  let q = db
    .selectFrom('incident_state')
    .select('incident_id')
    .where('updated_id', '>=', first_id)
    .where('updated_id', '<=', last_id)
    .where('deleted_at', isDeleted ? 'is not' : 'is', null)
  if (scope !== 'all') q = q.where('flock_id', 'in', nonEmpty(scope))
  return (await q.execute()).map(({ incident_id }) => incident_id)
}

/** Removes at most `most` batches that are older and said nothing; answers how many. */
export async function removeOldBatches(tx: Tx, before: number, most: number): Promise<number> {
  const old = await tx.query
    .selectFrom('incident_batch')
    .select('batch_id')
    .where('created_at', '<', before)
    .where('comment', '=', '')
    .limit(most)
    .execute()
  const ids = old.map(({ batch_id }) => batch_id)
  await tx.deleteMany('incident_batch_stretch', 'batch_id', ids)
  await tx.deleteMany('incident_batch', 'batch_id', ids)
  return ids.length
}
