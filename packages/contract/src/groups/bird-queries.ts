// 4.7: which Birds are there, and how are they?
import Type from 'typebox'
import { flag, flock_id, node_id, tz, withDefault } from '../fields.ts'
import { get } from '../operation.ts'

const text = Type.String()

/** 2.6: a Bird in a list. */
const Listed = Type.Object({
  cloud_project: text,
  cloud_zone: text,
  description: text,
  first_seen: text,
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
  region_id: text,
  sensor: text,
  subnet: text,
  updated: text,
  updated_std: text,
  updated_timestamp: Type.Integer(),
  uptime: Type.Integer(),
  uptime_age: text,
  version: text,
})

const List = Type.Object({
  devices: Type.Array(Listed),
  feed: text,
  updated: text,
  updated_std: text,
  updated_timestamp: Type.Integer(),
})

/** 2.5: a Bird in detail; everything is text. */
const detailed = {
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
  live: text,
  local_time: text,
  location: text,
  logtype: text,
  mac: text,
  mac_address: text,
  name: text,
  netmask: text,
  node_id: text,
  reconnect_count: text,
  sensor: text,
  service_count: text,
  uptime: text,
  uptime_age: text,
  was_rollback: text,
}

const Ips = Type.Object({
  ips: Type.Record(
    Type.String({ description: 'Id of a Flock' }),
    Type.Object({
      name: text,
      devices: Type.Record(
        Type.String({ description: 'Id of a Bird' }),
        Type.Object({ ip_address: text, name: text }),
      ),
    }),
  ),
})

export const birdQueries = {
  all: get('/devices/all', 'read-only', 'List every registered Bird', { tz }, List),
  live: get('/devices/live', 'read-only', 'List the Birds that are online', { tz }, List),
  dead: get(
    '/devices/dead',
    'read-only',
    'List the Birds that were seen before and are offline',
    { tz },
    List,
  ),
  filter: get(
    '/devices/filter',
    'read-only',
    'Find Birds by a part of their name, id, addresses or description',
    { filter_str: Type.Optional(Type.String({ maxLength: 1000, description: 'Any part, in any case' })) },
    Type.Object({ devices: Type.Array(Type.Object(detailed)) }),
  ),
  info: get(
    '/device/info',
    'read-only',
    'Read one Bird, its open incidents and its settings',
    {
      node_id,
      settings: withDefault(flag, false),
      exclude_fixed_settings: withDefault(
        Type.Boolean({ description: 'Leave out settings that nobody can change' }),
        false,
      ),
      tz,
    },
    Type.Object({
      device: Type.Object({
        ...detailed,
        settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        unacknowleged_incidents: Type.Array(Type.Record(Type.String(), Type.Unknown())),
      }),
    }),
    { aliases: ['/device/getinfo'], example: { params: { node_id: '0123456789abcdef' } } },
  ),
  ips: get(
    '/device/ips',
    'read-only',
    'List the addresses of Birds by Flock, or download them as text',
    {
      download: withDefault(flag, false),
      include_annotations: withDefault(
        Type.Boolean({ description: 'Flock and Bird names in the text' }),
        false,
      ),
      flock_id: Type.Optional(flock_id),
    },
    Ips,
    { answers: 'file' },
  ),
}
