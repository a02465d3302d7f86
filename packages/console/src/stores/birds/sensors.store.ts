// By which way the sensors of Birds notice, as the Birds last reported it.
import type { Query } from '../../db/query.ts'

export interface SensorReport {
  readonly instance: string
  readonly way: 'packets' | 'connections'
  /** Why not by packets, and what would give them; empty for packets. */
  readonly reason: string
}

export interface BirdWithSensors {
  readonly node_id: string
  readonly name: string
  readonly sensors: readonly SensorReport[]
}

/** Registered Birds with a sensor that is on; the first ones by name. */
export async function birdsWithSensors(db: Query, most: number): Promise<BirdWithSensors[]> {
  const rows = await db
    .selectFrom('bird')
    .where('state', '=', 'registered')
    .where('sensors', '!=', '')
    .select(['node_id', 'name', 'sensors'])
    .orderBy('name')
    .orderBy('node_id')
    .limit(most)
    .execute()
  return rows.map((row) => ({ ...row, sensors: JSON.parse(row.sensors) as SensorReport[] }))
}
