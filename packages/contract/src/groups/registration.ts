// 4.2: Birds that wait to be let in, and those that are let go.
import Type from 'typebox'
import { commaList, flag, flock_id, flockOrDefault, node_id, withDefault } from '../fields.ts'
import { get, Nothing, post } from '../operation.ts'

/** 2.7, console-wide: what a person compares before he lets a Bird in. */
const Pending = Type.Object({
  autoreg_time: Type.String({ description: 'When it first came, epoch seconds' }),
  current_settings: Type.String(),
  description: Type.String(),
  device_id: Type.String(),
  device_id_hash: Type.String({ description: 'First 24 hex digits of the SHA-256 of its public key' }),
  device_version: Type.String(),
  id: Type.String(),
  ip_address: Type.String({ description: 'Extension: its own address, as it says' }),
  live: Type.String({ description: 'True or False' }),
  name: Type.String(),
  pairing_phrase: Type.String({ description: 'Extension: six words; the Bird must show the same' }),
  public_ip: Type.String({ description: 'Extension: the address that its link comes from' }),
  sensor: Type.String(),
  user: Type.String(),
})

/** 2.7, of a Flock: who waits for room in it. */
const Queued = Type.Object({
  description: Type.String(),
  device_id: Type.String(),
  device_version: Type.String(),
  name: Type.String(),
  pending_since: Type.Number({ description: 'Epoch seconds, with fraction' }),
  sensor: Type.String(),
})

const NodeId = Type.Object({ node_id: Type.String() })
const one = { example: { params: { node_id: '0123456789abcdef' } } }
const many = { example: { params: { node_ids: '0123456789abcdef,fedcba9876543210' } } }

export const registration = {
  pending: get(
    '/devices/commission/pending',
    'read-only',
    'List the Birds that wait to be commissioned',
    {},
    Type.Object({ devices: Type.Array(Pending) }),
  ),
  queued: get(
    '/flock/commission/pending',
    'read-only',
    'List the Birds that wait for room in a Flock, first come first served',
    { flock_id },
    Type.Object({ devices: Type.Array(Queued) }),
    { example: { params: { flock_id: 'flock:default' } } },
  ),
  cancel: post(
    '/device/cancel_commission',
    'admin',
    'Turn a pending Bird away; it may ask again after a day',
    { node_id },
    Nothing,
    one,
  ),
  cancelMany: post(
    '/device/bulk_cancel_commission',
    'admin',
    'Turn several pending Birds away',
    { node_ids: commaList },
    Nothing,
    many,
  ),
  commission: post(
    '/device/commission',
    'admin',
    'Register a pending Bird in a Flock with room',
    { node_id, flock_id: flockOrDefault },
    NodeId,
    one,
  ),
  assign: post(
    '/device/assign_pending',
    'admin',
    'Register a pending Bird in a Flock, or let it wait there for room',
    { node_id, flock_id: flockOrDefault },
    NodeId,
    one,
  ),
  assignMany: post(
    '/device/bulk_assign_pending',
    'admin',
    'Register several pending Birds in a Flock, or let them wait there for room',
    { node_ids: commaList, flock_id: flockOrDefault },
    Nothing,
    many,
  ),
  decommission: post(
    '/device/decommission',
    'admin',
    'Remove a Bird; one that is online is powered off first',
    { node_id, skip_poweroff: withDefault(flag, false) },
    Type.Object({ delayed: Type.Boolean(), node_id: Type.String() }),
    one,
  ),
}
