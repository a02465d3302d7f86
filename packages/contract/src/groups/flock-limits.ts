// Extension: the most registered Birds that a Flock takes (behaviour 6).
import Type from 'typebox'
import { flock_id } from '../fields.ts'
import { get, post } from '../operation.ts'

const limit = Type.Integer({ minimum: 0, description: 'Most registered Birds' })
const Limit = Type.Object({ limit, is_enabled: Type.Boolean({ description: 'Whether the limit counts' }) })
const example = { params: { flock_id: 'flock:default' } }

export const flockLimits = {
  read: get('/flock/limit/get', 'read-only', 'Read the limit of a Flock', { flock_id }, Limit, { example }),
  set: post('/flock/limit/set', 'admin', 'Set the limit of a Flock', { flock_id, limit }, Limit, {
    example: { params: { flock_id: 'flock:default', limit: 20 } },
  }),
  enable: post('/flock/limit/enable', 'admin', 'Let the limit of a Flock count', { flock_id }, Limit, {
    example,
  }),
  disable: post(
    '/flock/limit/disable',
    'admin',
    'Let a Flock take any number of Birds',
    { flock_id },
    Limit,
    { example },
  ),
}
