// Birds in the database of a test's console, without the links that would bring them there.
import { randomBytes } from 'node:crypto'
import { newNodeId } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../src/app-context.ts'
import { commission } from '../src/stores/birds/commission.ts'
import { addBird as addPendingBird, changeBird, findBird, type BirdRow } from '../src/stores/birds/store.ts'

/** A test's console, in this process or in one of its own. */
interface WithConsole {
  readonly console: { readonly base: Pick<AppContext, 'writer' | 'world'> }
}

const AT = Date.parse('2026-11-20T09:39:02Z')

/** The row of a registered Bird, with these columns otherwise. */
export const birdRow = (columns: Partial<BirdRow> = {}): BirdRow => ({
  node_id: '00000000000000aa',
  public_key: '00'.repeat(32),
  device_id_hash: '00'.repeat(12),
  state: 'registered',
  flock_id: 'flock:default',
  name: 'bird-1',
  description: '',
  location: '',
  note: '',
  version: '3.0.0',
  ip_address: '10.0.0.5',
  ippers: '',
  netmask: '255.255.255.0',
  sensor: 'linux-x64',
  mac_address: '02:00:00:00:00:05',
  public_ip: '',
  environment: '{}',
  pairing_phrase: '',
  first_seen_at: AT,
  registered_at: AT,
  queued_at: AT,
  last_seen_at: AT,
  updated_at: AT,
  tombstone_at: null,
  link_seq: 0,
  live: 1,
  offline_since: null,
  reconnect_count: 0,
  booted_at: null,
  service_count: 0,
  last_dns_settings_at: null,
  was_rollback: 0,
  ignore_general: 0,
  ignore_disconnect: 0,
  ignore_reconnect: 0,
  settings: '{}',
  settings_tag: '',
  settings_seq: 0,
  applied_tag: '',
  settings_failure: '',
  not_standing: '',
  not_standing_count: 0,
  sensors: '',
  ip_stack: '',
  reach: '',
  port_offset: -1,
  takes_updates: 0,
  takes_files: 0,
  ...columns,
})

/** Inserts a registered Bird without settings, seen now, with these columns otherwise; answers its node id. */
export async function addBird(
  { console: { base } }: WithConsole,
  columns: Partial<BirdRow> = {},
): Promise<string> {
  const { writer, world } = base
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

/** Adds a pending Bird as its first HELLO does; answers its node id. */
export async function pendingBird(
  { console: { base } }: WithConsole,
  change: Partial<BirdRow> = {},
): Promise<string> {
  const node_id = change.node_id ?? randomBytes(8).toString('hex')
  const public_key = randomBytes(32).toString('hex')
  await base.writer.write(async (tx) => {
    await addPendingBird(tx, {
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

/** Adds a Bird and commissions it, with its first settings; answers its node id. */
export async function registeredBird(test: WithConsole, change: Partial<BirdRow> = {}): Promise<string> {
  const node_id = await pendingBird(test, change)
  const { writer, world } = test.console.base
  await writer.write(async (tx) => {
    const row = await findBird(tx.query, 'all', node_id)
    if (!row) throw new Error(`Bird ${node_id} was not stored.`)
    await commission(tx, [row], change.flock_id ?? 'flock:default', world)
    const { public_key: _key, node_id: _id, ...rest } = change
    if (Object.keys(rest).length > 0) await changeBird(tx.query, node_id, { ...rest, state: 'registered' })
  })
  return node_id
}
