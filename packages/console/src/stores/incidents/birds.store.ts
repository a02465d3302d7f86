// The open incidents of one Bird.
import type { Query } from '../../db/query.ts'
import type { IncidentRow } from './filter.store.ts'

/** Unacknowledged incidents of this node, oldest first; at most `limit`, the newest. */
export async function openIncidentsOf(db: Query, nodeId: string, limit: number): Promise<IncidentRow[]> {
  const rows = await db
    .selectFrom('incident_of_node as incident')
    .selectAll()
    .where('node_id', '=', nodeId)
    // As the nodes' index says.
    .where('memo', 'is', null)
    .where('acknowledged', '=', 0)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('incident_id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}
