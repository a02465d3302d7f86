// A Bird in the database of a test's console, without the link that would bring it there.
import { newNodeId } from '@rookery/kernel/ids.ts'
import type { BirdTables } from '../src/stores/birds/tables.ts'
import type { House } from './house.ts'

/** Adds a registered Bird (or what `columns` say); answers its node id. */
export async function addBird(house: House, columns: Partial<BirdTables['bird']>): Promise<string> {
  const { writer, world } = house.console.base
  const node_id = newNodeId(world.random)
  const now = world.clock.now()
  await writer.write((tx) =>
    tx.insertMany('bird', [
      {
        node_id,
        public_key: node_id.repeat(4),
        device_id_hash: node_id,
        state: 'registered',
        flock_id: 'flock:default',
        name: `bird ${node_id}`,
        first_seen_at: now,
        queued_at: now,
        last_seen_at: now,
        updated_at: now,
        ...columns,
      },
    ]),
  )
  return node_id
}
