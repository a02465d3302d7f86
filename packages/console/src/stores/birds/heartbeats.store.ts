// What Birds report every 30 seconds.
import type { Row, Tx } from '../../db/query.ts'
import type { BirdRow } from './store.ts'

/** The columns of `bird` that a heartbeat sets. */
export interface Heartbeat {
  readonly node_id: string
  readonly last_seen_at: number
  readonly live: 1
  readonly booted_at: number
  readonly applied_tag: string
  readonly was_rollback: 0 | 1
  readonly service_count: number
  readonly not_standing: string
  readonly not_standing_count: number
  readonly sensors: string
  readonly ip_stack: string
  readonly reach: BirdRow['reach']
  readonly port_offset: number
}

/** Stores one heartbeat for each of these Birds, in one statement. */
export const storeHeartbeats = (tx: Tx, heartbeats: readonly Heartbeat[]): Promise<void> =>
  tx.updateMany(
    'bird',
    ['node_id'],
    heartbeats.map((heartbeat): Row => ({ ...heartbeat })),
  )
