// Birds in the database, without their links.
import { randomBytes } from 'node:crypto'
import { addBird, changeBird, findBird, type BirdRow } from '../src/stores/birds/store.ts'
import { commission } from '../src/stores/birds/commission.ts'
import type { House } from './house.ts'

const AT = Date.parse('2026-11-20T09:39:02Z')

/** Adds a pending Bird; answers its id. */
export async function pendingBird(house: House, change: Partial<BirdRow> = {}): Promise<string> {
  const { writer } = house.console.base
  const node_id = change.node_id ?? randomBytes(8).toString('hex')
  const public_key = randomBytes(32).toString('hex')
  await writer.write(async (tx) => {
    await addBird(tx, {
      node_id,
      public_key,
      device_id_hash: public_key.slice(0, 24),
      state: 'pending',
      flock_id: '',
      name: `bird-${node_id.slice(0, 4)}`,
      pairing_phrase: 'amber-kite-otter-plum-quill-zinc',
      first_seen_at: AT,
      queued_at: AT,
      last_seen_at: AT,
      updated_at: AT,
    })
    const { public_key: _key, node_id: _id, ...rest } = change
    if (Object.keys(rest).length > 0) await changeBird(tx.query, node_id, rest)
  })
  return node_id
}

/** Adds a registered Bird; answers its id. */
export async function registeredBird(house: House, change: Partial<BirdRow> = {}): Promise<string> {
  const node_id = await pendingBird(house, change)
  const { writer, world } = house.console.base
  await writer.write(async (tx) => {
    const row = await findBird(tx.query, 'all', node_id)
    if (!row) throw new Error('the Bird is gone')
    await commission(tx, [row], change.flock_id ?? 'flock:default', world)
    const { public_key: _key, node_id: _id, ...rest } = change
    if (Object.keys(rest).length > 0) await changeBird(tx.query, node_id, { ...rest, state: 'registered' })
  })
  return node_id
}
