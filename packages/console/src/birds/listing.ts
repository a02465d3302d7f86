// The list form of a Bird (specification 2.6).
import { age, epoch, epochText, httpDate, localTime, std } from '@rookery/kernel/time.ts'
import type { AssetBook } from '../flows/assets/book.ts'
import type { ListedBird } from '../stores/birds/store.ts'
import { upFor } from './state.ts'

export interface Asked {
  /** What is known of machines; nothing, unless it says so. */
  readonly assets?: Pick<AssetBook, 'ofBird'>
  readonly tz: string
  readonly now: number
}

/** The form of many Birds of one list: most were last seen in the same half minute, and a second is spelt once. */
export function birdLister({ assets, tz, now }: Asked): (bird: ListedBird) => BirdInList {
  const spell = speller(tz)
  return (bird) => {
    const listed: BirdInList = listedBird(bird, spell, now)
    const asset = assets?.ofBird(bird)
    if (asset) listed.asset = asset
    return listed
  }
}

type BirdInList = ReturnType<typeof listedBird> & { asset?: ReturnType<AssetBook['ofBird']> }

interface Spelling {
  readonly http: string
  readonly std: string
  readonly local: string
}

/** Seconds whose spelling is kept. */
const KEPT = 1_000

function speller(tz: string): (at: number) => Spelling {
  const kept = new Map<number, Spelling>()
  return (at) => {
    const second = epoch(at)
    const known = kept.get(second)
    if (known) return known
    const made = { http: httpDate(at), std: std(at, tz), local: localTime(at) }
    if (kept.size >= KEPT) kept.clear()
    kept.set(second, made)
    return made
  }
}

function listedBird(bird: ListedBird, spell: (at: number) => Spelling, now: number) {
  const upMs = upFor(bird, now)
  const cloud = cloudOf(bird.environment)
  const seen = spell(bird.last_seen_at)
  const updatedAt = Math.max(bird.updated_at, bird.last_seen_at)
  const updated = spell(updatedAt)
  return {
    cloud_project: cloud['cloud_project'] ?? '',
    cloud_zone: cloud['cloud_zone'] ?? '',
    instance_id: cloud['instance_id'] ?? '',
    migration_status: cloud['migration_status'] ?? '',
    region_id: cloud['region_id'] ?? '',
    subnet: cloud['subnet'] ?? '',
    description: bird.description,
    first_seen: epochText(bird.first_seen_at),
    first_seen_std: spell(bird.first_seen_at).std,
    id: bird.node_id,
    ignore_notifications: bird.ignore_general === 1,
    ignore_notifications_disconnects: bird.ignore_disconnect === 1,
    ignore_notifications_reconnects: bird.ignore_reconnect === 1,
    ip_address: bird.ip_address,
    ippers: bird.ippers,
    last_seen: epochText(bird.last_seen_at),
    last_seen_std: seen.std,
    live: bird.live === 1,
    local_time: seen.local,
    location: bird.location,
    mac_address: bird.mac_address,
    name: bird.name,
    netmask: bird.netmask,
    note: bird.note,
    public_ip: bird.public_ip,
    sensor: bird.node_id,
    updated: updated.http,
    updated_std: updated.std,
    updated_timestamp: epoch(updatedAt),
    uptime: Math.floor(upMs / 1000),
    uptime_age: age(upMs),
    version: bird.version,
  }
}

type Environment = Readonly<Record<string, string>>

const NOTHING: Environment = {}

/** What a Bird's environment may report of its cloud; most report nothing. */
const cloudOf = (environment: string): Environment =>
  environment === '{}' ? NOTHING : (JSON.parse(environment) as Environment)
