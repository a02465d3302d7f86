// Comments on incidents.
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { Query, Tx } from '../../db/query.ts'
import { inList } from '../../db/in-list.ts'
import type { CommentTables } from './tables.ts'

export type CommentRow = CommentTables['incident_comment']

/** The same words for each of the incidents. */
export const addComments = (
  tx: Tx,
  random: Random,
  incidentIds: readonly number[],
  comment: Omit<CommentRow, 'comment_id' | 'incident_id'>,
): Promise<void> =>
  tx.insertMany(
    'incident_comment',
    incidentIds.map((incident_id) => ({ comment_id: hex(random, 32), incident_id, ...comment })),
  )

/** Oldest first; at most `most`, the newest. */
export async function commentsOf(db: Query, incidentId: number, most = 1_000): Promise<CommentRow[]> {
  const rows = await db
    .selectFrom('incident_comment')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .orderBy('at', 'desc')
    .orderBy('comment_id', 'desc')
    .limit(most)
    .execute()
  return rows.reverse()
}

/** Takes back what a bulk action said of these incidents. */
export async function removeCommentsOfBatch(
  tx: Tx,
  batchId: string,
  incidentIds: readonly number[],
): Promise<void> {
  await tx.query
    .deleteFrom('incident_comment')
    .where('batch_id', '=', batchId)
    .where('batch_id', '<>', '')
    .where(inList(tx.engine, 'incident_id', incidentIds))
    .execute()
}
