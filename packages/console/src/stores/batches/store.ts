// Bulk actions, by the numbers that they gave to their incidents: undoing one means those that still bear them.
import { nonEmpty } from '../incidents/filter.store.ts'
import type { Query, Scope, Tx } from '../../db/query.ts'
import type { BatchAction, BatchTables } from './tables.ts'

export type Stretch = Omit<BatchTables['incident_batch_stretch'], 'batch_id' | 'by_flock'>

export interface Batch {
  readonly action: BatchAction
  readonly stretches: readonly Stretch[]
}

/** Called in the transaction of each chunk; the first one makes the batch. */
export async function addStretch(
  tx: Tx,
  batch: BatchTables['incident_batch'],
  stretch: Stretch,
  byFlock: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.insertMany('incident_batch', [{ ...batch }], { key: ['batch_id'], then: 'skip' })
  await tx.insertMany('incident_batch_stretch', [
    { batch_id: batch.batch_id, ...stretch, by_flock: JSON.stringify(Object.fromEntries(byFlock)) },
  ])
}

/** Counts what lies in the scope; undefined where nothing does, as for a batch that never was. */
export async function findBatch(db: Query, scope: Scope, batchId: string): Promise<Batch | undefined> {
  const batch = await db
    .selectFrom('incident_batch')
    .select('action')
    .where('batch_id', '=', batchId)
    .executeTakeFirst()
  if (!batch) return undefined
  const stretches = await db
    .selectFrom('incident_batch_stretch')
    .select(['first_id', 'last_id', 'n', 'by_flock'])
    .where('batch_id', '=', batchId)
    .orderBy('first_id')
    .execute()
  if (scope === 'all') return { action: batch.action, stretches }
  const inScope = stretches.map((stretch) => {
    const counts = new Map(Object.entries(JSON.parse(stretch.by_flock) as object)) as ReadonlyMap<
      string,
      number
    >
    return { ...stretch, n: scope.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0) }
  })
  return inScope.some(({ n }) => n > 0) ? { action: batch.action, stretches: inScope } : undefined
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
  return removeBatches(tx, old)
}

/** The same of those that said something, of incidents that are all gone. */
export async function removeSpentBatches(tx: Tx, before: number, most: number): Promise<number> {
  const spent = await tx.query
    .selectFrom('incident_batch as b')
    .select('b.batch_id')
    .where('b.created_at', '<', before)
    .where('b.comment', '<>', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('incident_comment as c')
            .select('c.comment_id')
            .whereRef('c.batch_id', '=', 'b.batch_id')
            // Repeats the predicate of the partial index `incident_comment_by_batch`.
            .where('c.batch_id', '<>', ''),
        ),
      ),
    )
    .limit(most)
    .execute()
  return removeBatches(tx, spent)
}

async function removeBatches(tx: Tx, batches: readonly { readonly batch_id: string }[]): Promise<number> {
  const ids = batches.map(({ batch_id }) => batch_id)
  await tx.deleteMany('incident_batch_stretch', 'batch_id', ids)
  await tx.deleteMany('incident_batch', 'batch_id', ids)
  return ids.length
}
