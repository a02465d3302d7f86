// Comments on incidents.
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Query, Tx } from '../../db/query.ts'
import { inList } from '../../db/in-list.ts'
import type { CommentTables } from './tables.ts'

export type CommentRow = CommentTables['incident_comment']

/** What answers show of a comment. */
export type StoredComment = Pick<CommentRow, 'at' | 'author' | 'verdict' | 'text'>

/** Comments of one incident; a further one is refused (409). */
const COMMENTS = limit('incident_comments', 200)
/** Of one incident. */
export const MAX_COMMENTS = COMMENTS.max

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

/** Those of the incidents that take no more comments. */
export async function fullOfComments(tx: Tx, incidentIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx.query
    .selectFrom('incident_comment')
    .select('incident_id')
    .where(inList(tx.engine, 'incident_id', incidentIds))
    .groupBy('incident_id')
    .having((it) => it.fn.countAll(), '>=', MAX_COMMENTS)
    .execute()
  if (rows.length > 0) COMMENTS.hit()
  return new Set(rows.map(({ incident_id }) => incident_id))
}

/** Oldest first. The words of a bulk action stand with it, once for all its incidents. */
export const commentsOf = (db: Query, incidentId: number): Promise<StoredComment[]> =>
  db
    .selectFrom('incident_comment as c')
    .leftJoin('incident_batch as b', 'b.batch_id', 'c.batch_id')
    .select((it) => ['c.at', 'c.author', 'c.verdict', it.fn.coalesce('b.comment', 'c.text').as('text')])
    .where('c.incident_id', '=', incidentId)
    .orderBy('c.at')
    .orderBy('c.comment_id')
    .limit(MAX_COMMENTS)
    .execute()

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
