// 4.2: Birds that wait to be let in, and those that are let go.
import Type from 'typebox'
import { commaList, flag, flock_id, flockOrDefault, node_id, text, withDefault } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { PendingBird, QueuedBird } from '../records/bird.ts'

const NodeId = Type.Object({ node_id: text })
const one = { example: { params: { node_id: '{pending_node_id}' } } }
const many = { example: { params: { node_ids: '{pending_node_id}' } } }

export const registration = group(
  'Registration of Birds',
  'Birds that wait to be let in, and those that are let go.',
  {
    pending: get(
      '/devices/commission/pending',
      'read-only',
      'List the Birds that wait to be commissioned',
      {},
      Type.Object({ devices: Type.Array(PendingBird) }),
    ),
    queued: get(
      '/flock/commission/pending',
      'read-only',
      'List the Birds that wait for room in a Flock, first come first served',
      { flock_id },
      Type.Object({ devices: Type.Array(QueuedBird) }),
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
      Type.Object({ delayed: flag, node_id: text }),
      { example: { params: { node_id: '{node_id}', skip_poweroff: true } } },
    ),
  },
)
