// How the console that holds a Bird's link hears of a change that another room or another console made.
import { among } from '../../db/among.ts'
import type { Query, Row, Tx } from '../../db/query.ts'

/** Says that the links of these Birds have something to hear. */
export async function alertLinks(tx: Tx, nodeIds: readonly string[]): Promise<void> {
  if (nodeIds.length === 0) return
  const linkSeq = await tx.updatedIds(1)
  await tx.query
    .updateTable('bird')
    .set({ link_seq: linkSeq })
    .where(among(tx.engine, 'node_id', nodeIds))
    .execute()
}

/** The newest change that any link must hear of. */
export async function newestLinkSeq(db: Query): Promise<number> {
  const row = await db
    .selectFrom('bird')
    .select((e) => e.fn.max('link_seq').as('newest'))
    .executeTakeFirstOrThrow()
  return Number(row.newest ?? 0)
}

/** Birds with something to hear since the change of number `since`. */
export const alertedSince = (db: Query, since: number): Promise<{ node_id: string; link_seq: number }[]> =>
  db.selectFrom('bird').select(['node_id', 'link_seq']).where('link_seq', '>', since).execute()

/** What a heartbeat tells. */
export interface Beat {
  readonly node_id: string
  readonly last_seen_at: number
  readonly live: 1
  readonly booted_at: number
  readonly applied_tag: string
  readonly was_rollback: 0 | 1
  readonly service_count: number
}

/** Writes the newest heartbeat of each of these Birds. */
export const storeBeats = (tx: Tx, beats: readonly Beat[]): Promise<void> =>
  tx.updateMany(
    'bird',
    ['node_id'],
    beats.map((beat): Row => ({ ...beat })),
  )

/** Up to which number the events of this spool are stored; 0 when none is. */
export async function spoolPosition(db: Query, nodeId: string, spoolId: string): Promise<number> {
  const row = await db
    .selectFrom('spool_position')
    .select('last_seq')
    .where('node_id', '=', nodeId)
    .where('spool_id', '=', spoolId)
    .executeTakeFirst()
  return row?.last_seq ?? 0
}
