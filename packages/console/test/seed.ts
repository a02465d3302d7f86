// One of each thing that an example of the contract may speak of, on a console of a test's own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StandIn } from '@rookery/contract/examples.ts'
import { signedRelease } from '@rookery/link/test/signed-release.ts'
import { addRelease } from '../src/flows/releases/add.ts'
import { IMAGE_ENDINGS } from '../src/flows/images/images.ts'
import { createTicket, SETUP_MS } from '../src/stores/tickets/store.ts'
import { createUser } from '../src/stores/users/create.ts'
import { addChannel } from '../src/notify/receivers/chatops/channels.ts'
import { addDeliveries } from '../src/stores/deliveries/store.ts'
import { addPerson } from './person.ts'
import { pendingBird, registeredBird } from './birds.ts'
import { sentinelJudge } from './judges/sentinel.ts'
import type { TestConsole, Params } from './test-console.ts'
import { sshLogin } from './touches.ts'

export type Seed = Readonly<Record<StandIn, string>>

const installedSensor = `${process.platform}-${process.arch}`
const MAX_FILES_BYTES = 64 * 1024 * 1024

/** A kind whose tokens have a list of ignored sites. */
const siteKind = { kind: 'cloned-web', cloned_web: 'example.com' }

const flock_id = 'flock:default'

let seeds = 0

/** Plants one of each, and the scene around them. */
export async function plantSeed(rookery: TestConsole): Promise<Seed> {
  return (await plant(rookery, Object.keys(planters) as StandIn[])) as Seed
}

/** What these examples need is there, again or for the first time, and what the call of `spentBy` took of the scene. */
export async function plantAgain(
  rookery: TestConsole,
  seed: Partial<Seed>,
  wanted: readonly StandIn[],
  spentBy?: string,
): Promise<Partial<Seed>> {
  return { ...seed, ...(await plant(rookery, wanted, spentBy)) }
}

/** A thing is made at the first need of it, with what it needs. */
async function plant(
  rookery: TestConsole,
  wanted: readonly StandIn[],
  spentBy?: string,
): Promise<Partial<Seed>> {
  const number = ++seeds
  const made = new Map<StandIn, Promise<string>>()
  const bed: Bed = {
    rookery,
    number,
    of(name) {
      const promise = made.get(name) ?? planters[name](bed)
      made.set(name, promise)
      return promise
    },
  }
  await setScene(rookery, spentBy)
  const seed: Partial<Record<StandIn, string>> = {}
  for (const name of wanted) seed[name] = await bed.of(name)
  return seed
}

interface Bed {
  readonly rookery: TestConsole
  /** Of this planting: for what must not be there twice. */
  readonly number: number
  of(name: StandIn): Promise<string>
}

const memo = 'Backup script on the file server'

const planters: Readonly<Record<StandIn, (bed: Bed) => Promise<string>>> = {
  node_id: ({ rookery }) => registeredBird(rookery, { name: 'nas-02', ip_address: '10.0.0.5' }),
  async settings({ rookery, of }) {
    const { device } = await rookery.api.birdQueries.info({ node_id: await of('node_id'), settings: true })
    return JSON.stringify(device.settings)
  },
  async bundle_tag({ rookery, of }) {
    const { bundles } = await rookery.api.configuration.bundles({ node_id: await of('node_id') })
    return bundles[0]?.tag ?? ''
  },
  connected_node_id: ({ rookery }) => registeredBird(rookery, { live: 1, takes_files: 1 }),
  pending_node_id: ({ rookery }) => pendingBird(rookery),
  async flock_id({ rookery, number }) {
    const made = await ask<{ flock_id: string }>(rookery, '/flock/create', { name: `Seed ${number}` })
    return made.flock_id
  },
  async acknowledged_incident({ rookery, of }) {
    const incident = await raise(rookery, await of('node_id'), '192.0.2.9')
    await ask(rookery, '/incident/acknowledge', { incident })
    return incident
  },
  async batch_id({ rookery, of }) {
    const src_host = '192.0.2.11'
    await raise(rookery, await of('node_id'), src_host)
    return (await ask<{ batch_id: string }>(rookery, '/incidents/acknowledge', { src_host })).batch_id
  },
  incident: async ({ rookery, of }) => raise(rookery, await of('node_id'), '192.0.2.7'),
  // Filled in by `calledAs`, which knows whose they are.
  totp_code: () => Promise.resolve('{totp_code}'),
  new_totp_code: () => Promise.resolve('{new_totp_code}'),
  recovery_code: () => Promise.resolve('{recovery_code}'),
  passkey_assertion: () => Promise.resolve('{passkey_assertion}'),
  passkey_attestation: () => Promise.resolve('{passkey_attestation}'),
  passkey_id: () => Promise.resolve('{passkey_id}'),
  async key_id({ rookery }) {
    const { global_api_key } = await ask<{ global_api_key: { key_id: string } }>(rookery, '/auth_token/add', {
      auth_token_type: 'read-only',
      note: 'Dashboard',
    })
    return global_api_key.key_id
  },
  updatable_node_id: ({ rookery }) =>
    registeredBird(rookery, {
      name: 'nas-03',
      takes_updates: 1,
      live: 0,
      sensor: installedSensor,
      version: '3.0.0',
    }),
  async update_tag({ rookery: { console }, number }) {
    const release = signedRelease(undefined, { seq: number, sensors: [installedSensor] })
    return (await addRelease(console.base, MAX_FILES_BYTES, { ...release, description: '' })).tag
  },
  /** It works while there is no user. */
  ticket_code: ({ rookery: { console } }) =>
    console.base.writer.write(async (tx) => {
      await tx.query.deleteFrom('user_account').execute()
      const { random, clock } = console.base.world
      return createTicket(tx, random, 'setup', clock.now(), SETUP_MS)
    }),
  admin_email: async ({ rookery, number }) => (await addPerson(rookery, `dan-${number}@example.com`)).email,
  async factory_auth({ rookery }) {
    const made = await ask<{ factory_auth: string }>(rookery, '/decoytoken/create_factory', {
      flock_id,
      memo,
    })
    return made.factory_auth
  },
  email: ({ rookery, number }) => addUser(rookery, `ann-${number}@example.com`),
  async flock_user_email({ rookery, number }) {
    const email = await addUser(rookery, `bea-${number}@example.com`)
    await ask(rookery, '/user/flock/assign', { email, flock_id, role: 'manager' })
    return email
  },
  new_email: ({ number }) => Promise.resolve(`cem-${number}@example.com`),
  decoytoken: ({ rookery }) => addToken(rookery, '/decoytoken/create', { memo, kind: 'http' }),
  site_token: ({ rookery }) => addToken(rookery, '/decoytoken/create', { memo, ...siteKind }),
  provider_token: ({ rookery }) => addToken(rookery, '/decoytoken/create', { memo, kind: 'idp-app' }),
  file_token: async ({ rookery, of }) =>
    addToken(rookery, '/decoytoken/factory/create', {
      factory_auth: await of('factory_auth'),
      memo,
      kind: 'doc-spreadsheet',
    }),
  async enrolment_id({ rookery }) {
    return (await ask<{ enrolment_id: string }>(rookery, '/enrolment/create', {})).enrolment_id
  },
  async syslog_id({ rookery }) {
    const host = `logs-${seeds++}.example.com`
    const { webhook_id } = await rookery.api.syslog.add({ flock_id, host, protocol: 'udp' })
    return webhook_id
  },
  async sentinel_id({ rookery }) {
    const { given } = sentinelJudge
    const endpoint = `https://rookery-${seeds++}.westeurope-1.ingest.monitor.azure.com`
    const params = { ...given, flock_id, endpoint } as Parameters<typeof rookery.api.sentinel.add>[0]
    return (await rookery.api.sentinel.add(params)).webhook_id
  },
  async mqtt_id({ rookery }) {
    const url = `mqtts://broker-${seeds++}.example.com`
    return (await rookery.api.mqtt.add({ flock_id, url })).webhook_id
  },
  async elastic_id({ rookery }) {
    const url = `https://elastic-${seeds++}.example.com`
    return (await rookery.api.elastic.add({ flock_id, url, api_key: 'a2V5' })).webhook_id
  },
  async pagerduty_id({ rookery }) {
    const routing_key = String(seeds++).padStart(32, 'a')
    return (await rookery.api.pagerduty.add({ flock_id, routing_key })).webhook_id
  },
  async telegram_id({ rookery }) {
    const token = `${seeds++}:${'a'.repeat(35)}`
    return (await rookery.api.telegram.add({ flock_id, token, chat: '@rookery' })).webhook_id
  },
  async matrix_id({ rookery }) {
    const url = `https://matrix-${seeds++}.example.com`
    return (await rookery.api.matrix.add({ flock_id, url, token: 'syt_a', room: '!a:example.com' }))
      .webhook_id
  },
  async jira_id({ rookery }) {
    const url = `https://jira-${seeds++}.example.com`
    const account = { email: 'alerts@example.com', token: 'ATATT3', project: 'SEC' }
    return (await rookery.api.jira.add({ flock_id, url, ...account })).webhook_id
  },
  async servicenow_id({ rookery }) {
    const url = `https://servicenow-${seeds++}.example.com`
    const account = { user: 'rookery', password: 'abcdefgh' }
    return (await rookery.api.servicenow.add({ flock_id, url, ...account })).webhook_id
  },
  image_version({ rookery: { console } }) {
    const { images } = console.folder
    mkdirSync(images, { recursive: true })
    for (const ending of Object.values(IMAGE_ENDINGS))
      writeFileSync(join(images, `rookery-bird-3.0.0${ending}`), 'a machine')
    return Promise.resolve('3.0.0')
  },
  async webhook_id({ rookery }) {
    const path = '/flock/settings/webhooks/generic'
    const first = async (): Promise<string | undefined> => {
      const listed = await rookery.get(`${path}/list`, { flock_id })
      return (listed.json['generic_webhooks'] as unknown as readonly { webhook_id: string }[])[0]?.webhook_id
    }
    const found = await first()
    if (found !== undefined) return found
    await ask(rookery, `${path}/add`, { flock_id, url: `https://alerts-${seeds++}.example.com/in` })
    return (await first()) ?? ''
  },
  async delivery_id({ rookery, of }) {
    await of('incident')
    return addDelivery(rookery, await of('webhook_id'))
  },
}

/** What examples speak of by its own name, and how the paths begin whose operations may take it away. */
const scene: readonly (readonly [string, (rookery: TestConsole) => Promise<unknown>])[] = [
  ['/flock/settings/webhooks/', plantReceivers],
  [
    '/flock/note/',
    (rookery) => ask(rookery, '/flock/note/add', { flock_id, note: 'Server room, third floor' }),
  ],
  [
    '/settings/ignored_annotations/',
    (rookery) => ask(rookery, '/settings/ignored_annotations/ignore', { annotation: 'palo_alto_pdf' }),
  ],
  [
    '/settings/whitelist',
    (rookery) => ask(rookery, '/settings/whitelist_ip_port', { src_ip: '192.0.2.7' }, 'may be there'),
  ],
]

async function setScene(rookery: TestConsole, spentBy?: string): Promise<void> {
  for (const [path, make] of scene) if (spentBy?.startsWith(path) ?? true) await make(rookery)
}

async function ask<T>(
  rookery: TestConsole,
  path: string,
  params: Params,
  twice?: 'may be there',
): Promise<T> {
  const { status, text, json } = await rookery.post(path, params)
  if (status !== 200 && !(twice !== undefined && status === 409))
    throw new Error(`the seed's ${path} was answered with ${status}: ${text}`)
  return json as T
}

async function addToken(rookery: TestConsole, path: string, params: Params): Promise<string> {
  const { decoytoken } = await ask<{ decoytoken: { decoytoken: string } }>(rookery, path, params)
  return decoytoken.decoytoken
}

/** Straight into the table: deriving a password would take longer than everything else. */
async function addUser({ console: { base } }: TestConsole, email: string): Promise<string> {
  await base.writer.write((tx) => createUser(tx, base.world, { email, access_level: 'user' }))
  return email
}

/** A generic receiver, and one of each kind that a service gives. */
async function plantReceivers(rookery: TestConsole): Promise<void> {
  const webhooks = '/flock/settings/webhooks'
  const url = 'https://alerts.example.com/rookery'
  await ask(rookery, `${webhooks}/generic/add`, { flock_id, url }, 'may be there')
  await rookery.post(`${webhooks}/teamchat/add`, {
    flock_id,
    url: 'https://teamchat.example.com/webhookb2/4f1d/IncomingWebhook/a1b2',
  })
  await rookery.post(`${webhooks}/siem/add`, {
    flock_id,
    host: 'collector.example.com',
    port: 8088,
    token: 't',
  })
  const { base } = rookery.console
  const channel = {
    team: 'Blue team',
    channel: '#alerts',
    url: 'https://chatops.example.com/services/T024BE7LD/B024BE7LE/x7Yz',
    configuration_url: 'https://chatops.example.com/services/B024BE7LE',
  }
  await base.writer.write((tx) => addChannel(tx, base, flock_id, channel))
}

/** Something that the receiver got; answers its number. */
async function addDelivery({ console: { base } }: TestConsole, webhook_id: string): Promise<string> {
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
  return String(delivery_id)
}

/** An SSH login at the Bird; answers the key of its incident. */
async function raise(rookery: TestConsole, nodeId: string, srcHost: string): Promise<string> {
  await rookery.console.ingest.fromConsole(sshLogin({ nodeId, srcHost }))
  const { json } = await rookery.get('/incidents/unacknowledged', { node_id: nodeId })
  const [incident] = json['incidents'] as unknown as readonly { readonly id: string }[]
  if (!incident) throw new Error('the seed raised no incident')
  return incident.id
}
