// The detailed form of a Bird (specification 2.5): every member is text.
import { age, epochText, localTime, printable, std } from '@rookery/kernel/time.ts'
import type { ShownBird } from '../../stores/birds/lists.store.ts'
import type { ViewOptions } from './listing.ts'
import { prefixLength } from './network.ts'
import { settingsFailure } from './settings-failure.ts'
import { isGhost, REACHABLE_FROM, upFor } from './state.ts'

const truth = (value: boolean | number): string => (value === true || value === 1 ? 'True' : 'False')

export function birdRecord(bird: ShownBird, { assets, tz, now }: ViewOptions) {
  const upMs = upFor(bird, now)
  const asset = assets?.ofBird(bird)
  return {
    ...(asset && { asset }),
    autoreg_time: epochText(bird.first_seen_at),
    current_settings: bird.settings_tag,
    description: bird.description,
    device_id: bird.node_id,
    device_id_hash: bird.device_id_hash,
    device_live: truth(bird.live),
    device_version: bird.version,
    first_seen: epochText(bird.first_seen_at),
    first_seen_age: age(now - bird.first_seen_at),
    first_seen_printable: printable(bird.first_seen_at),
    first_seen_std: std(bird.first_seen_at, tz),
    flock_id: bird.flock_id,
    ghost: truth(isGhost(bird)),
    id: bird.node_id,
    ignore_notifications_disconnect: truth(bird.ignore_disconnect),
    ignore_notifications_general: truth(bird.ignore_general),
    ip_address: bird.ip_address,
    ippers: bird.ippers,
    last_dns_settings_message_time:
      bird.last_dns_settings_at === null ? '' : epochText(bird.last_dns_settings_at),
    last_heartbeat: epochText(bird.last_seen_at),
    last_heartbeat_age: age(now - bird.last_seen_at),
    last_heartbeat_printable: printable(bird.last_seen_at),
    last_seen_std: std(bird.last_seen_at, tz),
    live: truth(bird.live),
    local_time: localTime(bird.last_seen_at),
    location: bird.location,
    // The specification has this member of incidents here, too.
    logtype: '',
    mac: bird.mac_address,
    mac_address: bird.mac_address,
    name: bird.name,
    netmask: prefixLength(bird.netmask),
    node_id: bird.node_id,
    reachable_from: REACHABLE_FROM[bird.reach],
    reconnect_count: String(bird.reconnect_count),
    sensor: bird.sensor,
    service_count: String(bird.service_count),
    settings_failure: settingsFailure(bird),
    uptime: String(Math.floor(upMs / 1000)),
    uptime_age: age(upMs),
    was_rollback: truth(bird.was_rollback),
  }
}
