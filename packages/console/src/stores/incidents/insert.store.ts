// New incidents, each a row of facts and a row of state.
import type { Tx } from '../../db/query.ts'
import { pipeline } from '../../db/pipeline.ts'
import type { IncidentRow } from './filter.store.ts'

/** What a new one may leave out. */
type Optional = 'src_host_reverse' | 'acknowledged' | 'notified' | 'deleted_at' | 'annotations'

export type InsertedIncident = Omit<IncidentRow, Optional> & Partial<Pick<IncidentRow, Optional>>

export const insertIncidents = (tx: Tx, rows: readonly InsertedIncident[]): Promise<void> =>
  pipeline(tx, [
    () => tx.insertMany('incident_fact', rows.map(factOf)),
    () => tx.insertMany('incident_state', rows.map(stateOf)),
  ])

const factOf = (row: InsertedIncident) => ({
  incident_id: row.incident_id,
  incident_key: row.incident_key,
  hash_id: row.hash_id,
  logtype: row.logtype,
  summary: row.summary,
  node_id: row.node_id,
  name: row.name,
  memo: row.memo,
  src_host: row.src_host,
  src_port: row.src_port,
  dst_host: row.dst_host,
  dst_port: row.dst_port,
  ip_address: row.ip_address,
  ippers: row.ippers,
  mac_address: row.mac_address,
  created_at: row.created_at,
  agg_key: row.agg_key,
  annotations: row.annotations ?? '',
})

const stateOf = (row: InsertedIncident) => ({
  incident_id: row.incident_id,
  flock_id: row.flock_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  updated_id: row.updated_id,
  last_at: row.last_at,
  events_count: row.events_count,
  acknowledged: row.acknowledged ?? 0,
  notified: row.notified ?? 0,
  deleted_at: row.deleted_at ?? null,
  src_host_reverse: row.src_host_reverse ?? '',
})
