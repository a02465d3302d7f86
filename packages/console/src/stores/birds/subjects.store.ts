// What the ingest asks about Birds: whom an event speaks of, and how far their spools are stored.
import { amongTexts } from '../../db/among.ts'
import type { Tx } from '../../db/query.ts'
import type { BirdTables } from './tables.ts'

export type BirdSubject = Pick<
  BirdTables['bird'],
  'node_id' | 'state' | 'flock_id' | 'name' | 'ip_address' | 'ippers' | 'mac_address' | 'ignore_general'
>

export async function loadBirdSubjects(
  tx: Tx,
  nodeIds: readonly string[],
): Promise<Map<string, BirdSubject>> {
  const touched = amongTexts(tx.engine, 'node_id', nodeIds)
  const rows = await tx.rows<BirdSubject>(
    `SELECT node_id, state, flock_id, name, ip_address, ippers, mac_address, ignore_general
     FROM bird WHERE ${touched.sql}`,
    [touched.value],
  )
  return new Map(rows.map((row) => [row.node_id, row]))
}

const key = (nodeId: string, spoolId: string): string => `${nodeId}/${spoolId}`

/** The stored position of each spool of these Birds, by `node/spool`. */
export async function loadSpoolPositions(tx: Tx, nodeIds: readonly string[]): Promise<Map<string, number>> {
  const touched = amongTexts(tx.engine, 'node_id', nodeIds)
  const rows = await tx.rows<BirdTables['spool_position']>(
    `SELECT node_id, spool_id, last_seq FROM spool_position WHERE ${touched.sql}`,
    [touched.value],
  )
  return new Map(rows.map((row) => [key(row.node_id, row.spool_id), row.last_seq]))
}

export const positionOf = (positions: ReadonlyMap<string, number>, nodeId: string, spoolId: string): number =>
  positions.get(key(nodeId, spoolId)) ?? 0

export const moveSpoolPositions = (
  tx: Tx,
  rows: readonly { node_id: string; spool_id: string; last_seq: number }[],
): Promise<void> => tx.insertMany('spool_position', rows, { key: ['node_id', 'spool_id'], then: 'replace' })
