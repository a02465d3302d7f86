// 4.2: pending Birds are registered or rejected, and registered ones removed.
import Type from 'typebox'
import { commaList, flag, flockOrDefault, node_id, oneOf, text, withDefault } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { PendingBird, QueuedBird } from '../records/bird.ts'
import { readFlock } from '../switches.ts'

const NodeId = Type.Object({ node_id: text })
const one = { example: { node_id: '{pending_node_id}' } }
const many = { example: { node_ids: '{pending_node_id}' } }

export const registration = group(
  'Registration of Birds',
  'Pending Birds are registered in a Flock or rejected; registered Birds can be removed.',
  {
    pending: get(
      '/devices/commission/pending',
      'read-only',
      'console',
      'List the pending Birds',
      {},
      Type.Object({ devices: Type.Array(PendingBird) }),
    ),
    queued: readFlock(
      '/flock/commission/pending',
      'List the Birds that wait for room in a Flock, oldest first',
      Type.Object({ devices: Type.Array(QueuedBird) }),
    ),
    cancel: post(
      '/device/cancel_commission',
      'admin',
      'console',
      'Reject a pending Bird; it can ask again after a day',
      { node_id },
      Nothing,
      one,
    ),
    cancelMany: post(
      '/device/bulk_cancel_commission',
      'admin',
      'console',
      'Reject several pending Birds',
      { node_ids: commaList },
      Nothing,
      many,
    ),
    commission: post(
      '/device/commission',
      'admin',
      'console',
      'Register a pending Bird in a Flock that has room',
      { node_id, flock_id: flockOrDefault },
      NodeId,
      one,
    ),
    assign: post(
      '/device/assign_pending',
      'admin',
      'console',
      'Register a pending Bird in a Flock; if the Flock is full, the Bird waits for room',
      { node_id, flock_id: flockOrDefault },
      Type.Object({
        node_id: text,
        state: oneOf(['assigned', 'queued'], { description: 'assigned, or queued while the Flock is full' }),
      }),
      one,
    ),
    assignMany: post(
      '/device/bulk_assign_pending',
      'admin',
      'console',
      'Register several pending Birds in a Flock; if it is full, they wait for room',
      { node_ids: commaList, flock_id: flockOrDefault },
      Type.Object({
        assigned: Type.Array(text, { description: 'Ids of the Birds that are registered now' }),
        queued: Type.Array(text, { description: 'Ids of the Birds that wait for room' }),
      }),
      many,
    ),
    decommission: post(
      '/device/decommission',
      'admin',
      'flock',
      'Remove a Bird; an online one is powered off first',
      { node_id, skip_poweroff: withDefault(flag, false) },
      Type.Object({ delayed: flag, node_id: text }),
      { example: { node_id: '{node_id}', skip_poweroff: true } },
    ),
  },
)
