// How far each spool of a Bird is stored: an event at or below its position is dropped when it comes again.
import { limit } from '@rookery/kernel/limit.ts'
import { inTexts } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { BirdTables } from './tables.ts'

type SpoolPosition = BirdTables['spool_position']

/** Positions of one Bird. A Bird uses one spool, and another only after a power cut or a restored copy. */
const SPOOLS = limit('bird_spools', 4)

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

/** The spools of some Birds while a batch moves them. */
export interface SpoolPositions {
  /** The number of the last event of this spool; 0 when none of its events is stored. */
  of(nodeId: string, spoolId: string): number
  move(nodeId: string, spoolId: string, lastSeq: number, movedAt: number): void
  /** Stores what was moved. Of more than four spools of a Bird, those that moved longest ago are forgotten. */
  store(tx: Tx): Promise<void>
}

export async function loadSpoolPositions(tx: Tx, nodeIds: readonly string[]): Promise<SpoolPositions> {
  const ofBirds = inTexts(tx.engine, 'node_id', nodeIds)
  const rows = await tx.rows<SpoolPosition>(
    `SELECT node_id, spool_id, last_seq, moved_at FROM spool_position WHERE ${ofBirds.sql} ORDER BY moved_at`,
    [ofBirds.value],
  )
  // By Bird, its spools in the order in which they moved.
  const birds = new Map<string, Map<string, SpoolPosition>>(nodeIds.map((nodeId) => [nodeId, new Map()]))
  for (const row of rows) birds.get(row.node_id)?.set(row.spool_id, row)
  const moved = new Set<SpoolPosition>()
  const forgotten = new Map<string, SpoolPosition>()

  return {
    of: (nodeId, spoolId) => birds.get(nodeId)?.get(spoolId)?.last_seq ?? 0,
    move(node_id, spool_id, last_seq, moved_at) {
      const spools = birds.get(node_id)
      if (!spools) return
      const before = spools.get(spool_id)
      const row = { node_id, spool_id, last_seq, moved_at }
      if (before) moved.delete(before)
      moved.add(row)
      spools.delete(spool_id)
      spools.set(spool_id, row)
      const [oldest] = spools.values()
      if (spools.size <= SPOOLS.max || !oldest) return
      SPOOLS.hit()
      spools.delete(oldest.spool_id)
      moved.delete(oldest)
      forgotten.set(`${node_id}/${oldest.spool_id}`, oldest)
    },
    async store(tx) {
      await tx.insertMany('spool_position', [...moved], { key: ['node_id', 'spool_id'], then: 'replace' })
      for (const { node_id, spool_id } of forgotten.values()) {
        if (birds.get(node_id)?.has(spool_id)) continue
        await tx.query
          .deleteFrom('spool_position')
          .where('node_id', '=', node_id)
          .where('spool_id', '=', spool_id)
          .execute()
      }
    },
  }
}
