// G7b: an intruder has a whole IPv6 network, and the reverse zone of every address of it.
// The console runs in this process, so that the reverse zones can be made up.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import type { Outbound, Resolver } from '@rookery/kernel/world.ts'
import { openConsole, type Console } from '@rookery/console/build.ts'
import { readConfig } from '@rookery/console/config/config.ts'
import { systemWorld } from '@rookery/console/world/system.ts'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { ADMIN, UNMETERED } from '../../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { connectLink, spooledEvent } from '../../rig/load/link-client.ts'
import type { Dice } from './dice.ts'

export interface ManyAddresses {
  /** Incidents of the one network, and of its neighbour, which was met once. */
  readonly ofNetwork: number
  readonly ofNeighbour: number
  /** Events of the network that its incident does not count. */
  readonly uncounted: number
  readonly liars: number
  /** Liars without an incident, or without an alert. */
  readonly unraised: number
  readonly unalerted: number
  /** Honest sources of the list, which must be ignored, or the list has no effect. */
  readonly honest: number
  readonly honestRaised: number
}

export interface ManyAddressesOptions {
  readonly addresses: number
  readonly dice: Dice
}

const LISTED = 'scanners.example.com'
const NETWORK = '2001:db8:1:2'
const PER_LIE = 20
const PATIENCE_MS = 60_000

const never = <T>(): Promise<T> => new Promise(() => undefined)

interface Zones {
  reverse(address: string): Promise<string[]>
  /** The addresses of a name that the address above claims. */
  forward(address: string): Promise<string[]>
}

/** What a reverse zone says that is not true, or never says. */
const LIES: Readonly<Record<string, Zones>> = {
  'a name that leads elsewhere': { reverse: named(`a.${LISTED}`), forward: async () => ['192.0.2.7'] },
  'a name that leads nowhere': { reverse: named(`b.${LISTED}`), forward: async () => [] },
  'many names': {
    reverse: async () => Array.from({ length: 50 }, (_, at) => `n${at}.${LISTED}`),
    forward: async () => ['192.0.2.7'],
  },
  'no answer': { reverse: never, forward: never },
  'a name without an answer': { reverse: named(`c.${LISTED}`), forward: never },
  'a failure': { reverse: () => Promise.reject(new Error('SERVFAIL')), forward: never },
  'the listed name in its own zone': {
    reverse: named(`${LISTED}.evil.example`),
    forward: async (address) => [address],
  },
  'a name that ends like the listed one': {
    reverse: named(`evil${LISTED}`),
    forward: async (address) => [address],
  },
}
const HONEST: Zones = { reverse: named(`real.${LISTED}`), forward: async (address) => [address] }

function named(name: string): Zones['reverse'] {
  return () => Promise.resolve([name])
}

/** Sources of a kind: IPv4 and IPv6 in turn, each IPv6 address in a network of its own. */
const sourcesOf = (kind: number): string[] =>
  Array.from({ length: PER_LIE }, (_, nth) =>
    nth % 2 === 0 ? `203.0.${kind}.${nth + 1}` : `2001:db8:${(kind + 16).toString(16)}:${nth}::1`,
  )

export async function meetManyAddresses({ addresses, dice }: ManyAddressesOptions): Promise<ManyAddresses> {
  const folder = freshFolder()
  const zones = new Map<string, Zones>()
  const liars = Object.values(LIES).flatMap((lie, kind) =>
    sourcesOf(kind).map((source) => {
      zones.set(source, lie)
      return source
    }),
  )
  const honest = sourcesOf(100)
  for (const source of honest) zones.set(source, HONEST)
  const alerted = new Set<string>()
  const console = await openConsole({
    config: readConfig({
      ROOKERY_DATA_DIR: folder,
      ROOKERY_LISTEN: '127.0.0.1:0',
      ROOKERY_BOOTSTRAP_KEY: ADMIN,
      ...UNMETERED,
      ROOKERY_BIRD_EVENTS_PER_SECOND: '1000000',
    }),
    world: { ...systemWorld(receiver(alerted)), resolver: resolverOf(zones) },
    log: pino({ level: 'silent' }),
    parts: ['api', 'link'],
    // Each alert by itself, so that each source can be found in one.
    alerting: { perMinute: Number.POSITIVE_INFINITY },
  })
  try {
    await post(console, '/flock/settings/webhooks/generic/add', {
      flock_id: 'flock:default',
      url: 'https://alerts.example.com/',
    })
    const suffixes = dice.between(0, 0xffff)
    await send(console, [
      ...Array.from({ length: addresses }, (_, nth) => `${NETWORK}:${interfaceOf(nth, suffixes)}`),
      '2001:db8:1:3::1',
    ])
    await post(console, '/settings/ignore_hostnames', { hostnames: LISTED })
    await post(console, '/settings/ignore_hostnames/enable', {})
    await send(console, [...honest, ...liars])
    await until(() => liars.every((source) => alerted.has(source)))
    const incidents = await list(console)
    const raised = new Set(incidents.map(({ source }) => source))
    const inside = incidents.filter(({ source }) => source.startsWith(`${NETWORK}:`))
    return {
      ofNetwork: inside.length,
      ofNeighbour: incidents.filter(({ source }) => source === '2001:db8:1:3::1').length,
      uncounted: addresses - inside.reduce((sum, { events }) => sum + events, 0),
      liars: liars.length,
      unraised: liars.filter((source) => !raised.has(source)).length,
      unalerted: liars.filter((source) => !alerted.has(source)).length,
      honest: honest.length,
      honestRaised: honest.filter((source) => raised.has(source)).length,
    }
  } finally {
    await console.stop()
    removeFolder(folder)
  }
}

/** The lower half of an address: another one for each number, over the whole network. */
function interfaceOf(nth: number, suffix: number): string {
  const scattered = Math.imul(nth, 0x9e3779b1) >>> 0
  return [scattered >>> 16, scattered & 0xffff, nth & 0xffff, suffix]
    .map((part) => part.toString(16))
    .join(':')
}

const receiver = (alerted: Set<string>): Outbound => ({
  send(request) {
    const { SourceIP } = JSON.parse(request.body ?? '{}') as { SourceIP?: string }
    alerted.add(SourceIP ?? '')
    return Promise.resolve({ status: 204, headers: {}, body: '' })
  },
})

/** A name belongs to the address that was asked about last: reverse and forward are asked one after the other. */
function resolverOf(zones: ReadonlyMap<string, Zones>): Resolver {
  const owners = new Map<string, string[]>()
  const forward = async (name: string): Promise<string[]> => {
    const found = (owners.get(name) ?? []).map(
      (address) => zones.get(address)?.forward(address) ?? Promise.resolve([]),
    )
    return (await Promise.all(found)).flat()
  }
  return {
    async reverse(address) {
      const names = (await zones.get(address)?.reverse(address)) ?? []
      for (const name of names) owners.set(name, [...(owners.get(name) ?? []), address])
      return names
    },
    addresses: forward,
    records: forward,
  }
}

/** One event of each source, over a link of a Bird's own. */
async function send(console: Console, sources: readonly string[]): Promise<void> {
  const client = await connectLink({
    port: Number(new URL(console.linkUrl ?? '').port),
    key: keyPair(randomBytes(32)),
    spoolId: randomBytes(16).toString('hex'),
    enrol: parseEnrolment(await console.enrolLocalBird()).secret,
    eventOf(seq) {
      const srcHost = sources[seq - 1]
      return srcHost === undefined ? undefined : spooledEvent(seq, { srcHost })
    },
  })
  const acked = await client.done
  client.close()
  if (acked !== sources.length) throw new Error(`The console took ${acked} of ${sources.length} events.`)
}

async function post(console: Console, path: string, form: Record<string, string>): Promise<void> {
  const response = await fetch(`${console.apiUrl ?? ''}/api/v1${path}`, {
    method: 'POST',
    headers: { 'X-Auth-Token': ADMIN },
    body: new URLSearchParams(form),
  })
  if (!response.ok) throw new Error(`${path} was refused: ${await response.text()}`)
}

async function list(console: Console): Promise<{ source: string; events: number }[]> {
  const response = await fetch(`${console.apiUrl ?? ''}/api/v1/incidents/all?event_limit=0&limit=5000`, {
    headers: { 'X-Auth-Token': ADMIN },
  })
  const { incidents } = (await response.json()) as {
    incidents: { description: { src_host: string; events_count: string } }[]
  }
  return incidents.map(({ description }) => ({
    source: description.src_host,
    events: Number(description.events_count),
  }))
}

/** Until the claim is true, or for so long that it never will be. */
async function until(claim: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !claim() && performance.now() < end;) await pause(50)
}
