// The list form of a Bird (specification 2.6).
import { age, epoch, httpDate, localTime, std } from '@rookery/kernel/time.ts'
import type { AssetBook } from '../flows/assets/book.ts'
import type { ShownBird } from '../stores/birds/store.ts'
import { upFor } from './state.ts'

export interface Asked {
  /** What is known of machines; nothing, unless it says so. */
  readonly assets?: Pick<AssetBook, 'ofBird'>
  readonly tz: string
  readonly now: number
}

/** The form of many Birds of one list: most were last seen in the same half minute, which is spelt once. */
export function birdLister({ assets, tz, now }: Asked): (bird: ShownBird) => ReturnType<typeof listedBird> {
  const spelt = new Map<number, Spelling>()
  return (bird) => {
    const second = epoch(Math.max(bird.updated_at, bird.last_seen_at))
    let updated = spelt.get(second)
    if (!updated) spelt.set(second, (updated = spell(second * 1000, tz)))
    const asset = assets?.ofBird(bird)
    return { ...listedBird(bird, updated, { tz, now }), ...(asset && { asset }) }
  }
}

interface Spelling {
  readonly updated: string
  readonly updated_std: string
  readonly updated_timestamp: number
}

const spell = (at: number, tz: string): Spelling => ({
  updated: httpDate(at),
  updated_std: std(at, tz),
  updated_timestamp: epoch(at),
})

function listedBird(bird: ShownBird, updated: Spelling, { tz, now }: Asked) {
  const upMs = upFor(bird, now)
  return {
    ...cloudOf(bird.environment),
    description: bird.description,
    first_seen: String(epoch(bird.first_seen_at)),
    first_seen_std: std(bird.first_seen_at, tz),
    id: bird.node_id,
    ignore_notifications: bird.ignore_general === 1,
    ignore_notifications_disconnects: bird.ignore_disconnect === 1,
    ignore_notifications_reconnects: bird.ignore_reconnect === 1,
    ip_address: bird.ip_address,
    ippers: bird.ippers,
    last_seen: String(epoch(bird.last_seen_at)),
    last_seen_std: std(bird.last_seen_at, tz),
    live: bird.live === 1,
    local_time: localTime(bird.last_seen_at),
    location: bird.location,
    mac_address: bird.mac_address,
    name: bird.name,
    netmask: bird.netmask,
    note: bird.note,
    public_ip: bird.public_ip,
    sensor: bird.node_id,
    ...updated,
    uptime: Math.floor(upMs / 1000),
    uptime_age: age(upMs),
    version: bird.version,
  }
}

/** What a Bird's environment may report of its cloud; unknown ones are empty text. */
function cloudOf(environment: string) {
  const known = JSON.parse(environment) as Readonly<Record<string, string>>
  return {
    cloud_project: known['cloud_project'] ?? '',
    cloud_zone: known['cloud_zone'] ?? '',
    instance_id: known['instance_id'] ?? '',
    migration_status: known['migration_status'] ?? '',
    region_id: known['region_id'] ?? '',
    subnet: known['subnet'] ?? '',
  }
}
