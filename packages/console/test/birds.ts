// A Bird in the database of a test's console, without the link that would bring it there.
import { newNodeId } from '@rookery/kernel/ids.ts'
import type { Base } from '../src/base.ts'
import type { BirdTables } from '../src/stores/birds/tables.ts'

/** Whatever has a console: a house, or a process of its own. */
interface Place {
  readonly console: { readonly base: Pick<Base, 'writer' | 'world'> }
}

/** Adds a registered Bird (or what `columns` say); answers its node id. */
export async function addBird(place: Place, columns: Partial<BirdTables['bird']>): Promise<string> {
  const { writer, world } = place.console.base
  const node_id = columns.node_id ?? newNodeId(world.random)
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
