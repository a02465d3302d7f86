// The list form of a Bird (specification 2.6).
import { age, epoch, httpDate, localTime, std } from '@rookery/kernel/time.ts'
import type { ShownBird } from '../stores/birds/store.ts'
import { upFor } from './state.ts'

export interface Asked {
  readonly tz: string
  readonly now: number
}

export function listedBird(bird: ShownBird, { tz, now }: Asked) {
  const upMs = upFor(bird, now)
  const updatedAt = Math.max(bird.updated_at, bird.last_seen_at)
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
    updated: httpDate(updatedAt),
    updated_std: std(updatedAt, tz),
    updated_timestamp: epoch(updatedAt),
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
