// A Bird in its forms: in lists (2.6), in detail (2.5) and pending (2.7).
import Type from 'typebox'
import { Asset } from './asset.ts'

const text = Type.String()
const asset = Type.Optional(Asset)
const liveText = Type.String({ description: 'True or False: whether it is online' })

/** 2.6: a Bird in a list. */
export const ListedBird = Type.Object({
  asset,
  cloud_project: text,
  cloud_zone: text,
  description: text,
  first_seen: Type.String({ description: 'Time of the first connection, as readable text' }),
  first_seen_std: text,
  id: text,
  ignore_notifications: Type.Boolean(),
  ignore_notifications_disconnects: Type.Boolean(),
  ignore_notifications_reconnects: Type.Boolean(),
  instance_id: text,
  ip_address: text,
  ippers: text,
  last_seen: text,
  last_seen_std: text,
  live: Type.Boolean(),
  local_time: text,
  location: text,
  mac_address: text,
  migration_status: text,
  name: text,
  netmask: text,
  note: text,
  public_ip: text,
  reachable_from: text,
  region_id: text,
  sensor: text,
  settings_failure: text,
  subnet: text,
  updated: text,
  updated_std: text,
  updated_timestamp: Type.Integer(),
  uptime: Type.Integer(),
  uptime_age: text,
  version: text,
})

/** 2.5: a Bird in detail; everything is text. */
export const DetailedBird = Type.Object({
  asset,
  autoreg_time: text,
  current_settings: text,
  description: text,
  device_id: text,
  device_id_hash: text,
  device_live: text,
  device_version: text,
  first_seen: text,
  first_seen_age: text,
  first_seen_printable: text,
  first_seen_std: text,
  flock_id: text,
  ghost: text,
  id: text,
  ignore_notifications_disconnect: text,
  ignore_notifications_general: text,
  ip_address: text,
  ippers: text,
  last_dns_settings_message_time: text,
  last_heartbeat: text,
  last_heartbeat_age: text,
  last_heartbeat_printable: text,
  last_seen_std: text,
  live: liveText,
  local_time: text,
  location: text,
  logtype: text,
  mac: text,
  mac_address: text,
  name: text,
  netmask: text,
  node_id: text,
  reachable_from: text,
  reconnect_count: text,
  sensor: text,
  service_count: text,
  settings_failure: text,
  uptime: text,
  uptime_age: text,
  was_rollback: text,
})

/** 2.7, console-wide: what people compare before they register a Bird. */
export const PendingBird = Type.Object({
  autoreg_time: text,
  current_settings: text,
  description: text,
  device_id: text,
  device_id_hash: text,
  device_version: text,
  id: text,
  ip_address: text,
  live: liveText,
  name: text,
  pairing_phrase: text,
  public_ip: text,
  sensor: text,
  user: text,
})

/** 2.7, of a Flock: a Bird that waits for room in it. */
export const QueuedBird = Type.Object({
  description: text,
  device_id: text,
  device_version: text,
  name: text,
  pending_since: Type.Number(),
  sensor: text,
})
