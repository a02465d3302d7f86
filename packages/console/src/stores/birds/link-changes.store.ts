// How the console that holds a Bird's link learns of a change that another request or another console made.
import { inList } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'

/** Marks these Birds as changed: their links read the row again after the commit. */
export async function notifyLinks(tx: Tx, nodeIds: readonly string[]): Promise<void> {
  if (nodeIds.length === 0) return
  const linkSeq = await tx.updatedIds(1)
  await tx.query
    .updateTable('bird')
    .set({ link_seq: linkSeq })
    .where(inList(tx.engine, 'node_id', nodeIds))
    .execute()
}

/** The number of the newest change of any Bird; 0 when there is none. */
export async function latestLinkSeq(db: Query): Promise<number> {
  const row = await db
    .selectFrom('bird')
    .select((e) => e.fn.max('link_seq').as('latest'))
    .executeTakeFirstOrThrow()
  return Number(row.latest ?? 0)
}

/** Birds that changed after the change of number `linkSeq`. */
export const birdsChangedSince = (
  db: Query,
  linkSeq: number,
): Promise<{ node_id: string; link_seq: number }[]> =>
  db.selectFrom('bird').select(['node_id', 'link_seq']).where('link_seq', '>', linkSeq).execute()
