// What an event of a Bird says of the Bird itself.
import { inTexts } from '../../db/in-list.ts'
import type { Tx } from '../../db/query.ts'
import type { BirdTables } from './tables.ts'

export type BirdSubject = Pick<
  BirdTables['bird'],
  | 'node_id'
  | 'state'
  | 'flock_id'
  | 'name'
  | 'ip_address'
  | 'ippers'
  | 'mac_address'
  | 'ignore_general'
  | 'first_seen_at'
  | 'registered_at'
>

/** Those of these Birds that there are, by node id. */
export async function loadBirdSubjects(
  tx: Tx,
  nodeIds: readonly string[],
): Promise<Map<string, BirdSubject>> {
  const named = inTexts(tx.engine, 'node_id', nodeIds)
  const rows = await tx.rows<BirdSubject>(
    `SELECT node_id, state, flock_id, name, ip_address, ippers, mac_address, ignore_general,
       first_seen_at, registered_at
     FROM bird WHERE ${named.sql}`,
    [named.value],
  )
  return new Map(rows.map((row) => [row.node_id, row]))
}
