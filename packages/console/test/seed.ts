// One of each thing that an example of the contract may speak of, on a console of a test's own.
import type { StandIn } from '@rookery/contract/examples.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { createUser } from '../src/stores/users/create.ts'
import { addChannel } from '../src/features/flock-chats/channels.ts'
import { addDeliveries } from '../src/stores/deliveries/store.ts'
import { pendingBird, registeredBird } from './bird-rows.ts'
import type { House, Params } from './house.ts'
import { sshLogin } from './touches.ts'

export type Seed = Readonly<Record<StandIn, string>>

/** A kind whose tokens have a file, if there is one yet. */
export const fileKind = descriptors.find(({ downloads }) => downloads)?.kind

const flock_id = 'flock:default'

let seeds = 0

/** Plants everything anew: what an example took away is there again. */
export async function plantSeed(house: House): Promise<Seed> {
  const plant = async <T>(path: string, params: Params, mayBeThere = false): Promise<T> => {
    const { status, text, json } = await house.post(path, params)
    if (status !== 200 && !(mayBeThere && status === 409))
      throw new Error(`the seed's ${path} was answered with ${status}: ${text}`)
    return json as T
  }
  const flock = await plant<{ flock_id: string }>('/flock/create', { name: `Seed ${++seeds}` })
  const node_id = await registeredBird(house, { name: 'nas-02', ip_address: '10.0.0.5' })
  const pending_node_id = await pendingBird(house)
  const acknowledged_incident = await raise(house, node_id, '192.0.2.9')
  await plant('/incident/acknowledge', { incident: acknowledged_incident })
  const incident = await raise(house, node_id, '192.0.2.7')

  const memo = 'Backup script on the file server'
  const { factory_auth } = await plant<{ factory_auth: string }>('/decoytoken/create_factory', {
    flock_id,
    memo,
  })
  const { decoytoken } = await plant<{ decoytoken: { decoytoken: string } }>('/decoytoken/factory/create', {
    factory_auth,
    memo,
    kind: fileKind ?? 'http',
  })
  const { decoytoken: token } = await plant<{ decoytoken: { decoytoken: string } }>('/decoytoken/create', {
    memo,
    kind: 'http',
  })
  const { global_api_key } = await plant<{ global_api_key: { key_id: string } }>('/auth_token/add', {
    auth_token_type: 'read-only',
    note: 'Dashboard',
  })
  const url = 'https://alerts.example.com/rookery'
  await plant('/flock/settings/webhooks/generic/add', { flock_id, url }, true)
  await plantReceivers(house)
  const { webhook_id, delivery_id } = await plantDelivery(house)
  const users = ['ann', 'bea', 'cem'].map((name) => `${name}-${seeds}@example.com`)
  const [email = '', flock_user_email = '', new_email = ''] = users
  // Straight into the table: deriving a password for each would take longer than everything else.
  const { writer, world } = house.console.base
  for (const known of [email, flock_user_email])
    await writer.write((tx) => createUser(tx, world, { email: known, access_level: 'user' }))
  await plant('/user/flock/assign', { email: flock_user_email, flock_id, role: 'manager' })
  await plant('/flock/note/add', { flock_id, note: 'Server room, third floor' })
  await plant('/settings/ignored_annotations/ignore', { annotation: 'palo_alto_pdf' })
  await plant('/settings/whitelist_ip_port', { src_ip: '192.0.2.7' }, true)
  return {
    node_id,
    pending_node_id,
    flock_id: flock.flock_id,
    incident,
    acknowledged_incident,
    key_id: global_api_key.key_id,
    webhook_id,
    delivery_id,
    factory_auth,
    email,
    flock_user_email,
    new_email,
    decoytoken: token.decoytoken,
    file_token: decoytoken.decoytoken,
  }
}

/** A receiver of each kind that a service gives. */
async function plantReceivers(house: House): Promise<void> {
  const webhooks = '/flock/settings/webhooks'
  await house.post(`${webhooks}/teamchat/add`, {
    flock_id,
    url: 'https://teamchat.example.com/webhookb2/4f1d/IncomingWebhook/a1b2',
  })
  await house.post(`${webhooks}/siem/add`, {
    flock_id,
    host: 'collector.example.com',
    port: 8088,
    token: 't',
  })
  const { base } = house.console
  const channel = {
    team: 'Blue team',
    channel: '#alerts',
    url: 'https://chatops.example.com/services/T024BE7LD/B024BE7LE/x7Yz',
    configuration_url: 'https://chatops.example.com/services/B024BE7LE',
  }
  await base.writer.write((tx) => addChannel(tx, base, flock_id, channel))
}

/** Something that the generic receiver got. */
async function plantDelivery(house: House): Promise<{ webhook_id: string; delivery_id: string }> {
  const { base } = house.console
  const listed = await house.get('/flock/settings/webhooks/generic/list', { flock_id })
  const [receiver] = listed.json['generic_webhooks'] as unknown as readonly { webhook_id: string }[]
  const webhook_id = receiver?.webhook_id ?? ''
  const { incident_id } = await base.reader
    .selectFrom('incident')
    .select('incident_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const now = base.world.clock.now()
  const delivery_id = await base.writer.write(async (tx) => {
    const number = await tx.updatedIds(1)
    const sent = { delivery_id: number, message_id: `msg_${number}`, webhook_id, flock_id, incident_id }
    await addDeliveries(tx, [
      { ...sent, subject: 'incident', state: 'delivered', next_at: now, created_at: now },
    ])
    return number
  })
  return { webhook_id, delivery_id: String(delivery_id) }
}

/** An SSH login at the Bird; answers the key of its incident. */
async function raise(house: House, nodeId: string, srcHost: string): Promise<string> {
  await house.console.ingest.fromConsole(sshLogin({ nodeId, srcHost }))
  const { json } = await house.get('/incidents/unacknowledged', { node_id: nodeId })
  const [incident] = json['incidents'] as unknown as readonly { readonly id: string }[]
  if (!incident) throw new Error('the seed raised no incident')
  return incident.id
}
