// How far each spool of a Bird is stored: an event at or below its position is dropped when it comes again.
import { inTexts } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { BirdTables } from './tables.ts'

/** The number of the last stored event of this spool; 0 when none is stored. */
export async function findSpoolPosition(db: Query, nodeId: string, spoolId: string): Promise<number> {
  const row = await db
    .selectFrom('spool_position')
    .select('last_seq')
    .where('node_id', '=', nodeId)
    .where('spool_id', '=', spoolId)
    .executeTakeFirst()
  return row?.last_seq ?? 0
}

const key = (nodeId: string, spoolId: string): string => `${nodeId}/${spoolId}`

/** The positions of all spools of these Birds, to be read with `spoolPositionOf`. */
export async function loadSpoolPositions(tx: Tx, nodeIds: readonly string[]): Promise<Map<string, number>> {
  const ofBirds = inTexts(tx.engine, 'node_id', nodeIds)
  const rows = await tx.rows<BirdTables['spool_position']>(
    `SELECT node_id, spool_id, last_seq FROM spool_position WHERE ${ofBirds.sql}`,
    [ofBirds.value],
  )
  return new Map(rows.map((row) => [key(row.node_id, row.spool_id), row.last_seq]))
}

/** The position of one spool; 0 when none of its events is stored. */
export const spoolPositionOf = (
  positions: ReadonlyMap<string, number>,
  nodeId: string,
  spoolId: string,
): number => positions.get(key(nodeId, spoolId)) ?? 0

export const moveSpoolPositions = (tx: Tx, rows: readonly BirdTables['spool_position'][]): Promise<void> =>
  tx.insertMany('spool_position', rows, { key: ['node_id', 'spool_id'], then: 'replace' })
