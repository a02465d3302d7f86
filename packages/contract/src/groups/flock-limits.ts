// Extension: the most registered Birds that a Flock takes (behaviour 6).
import Type from 'typebox'
import { flag, flock_id } from '../fields.ts'
import { get, group, post } from '../operation.ts'

const limit = Type.Integer({ minimum: 0, description: 'Most registered Birds' })
const Limit = Type.Object({ limit, is_enabled: flag })
const example = { params: { flock_id: '{flock_id}' } }

export const flockLimits = group('Flock limits', 'How many registered Birds a Flock takes.', {
  read: get('/flock/limit/get', 'read-only', 'Read the limit of a Flock', { flock_id }, Limit, { example }),
  set: post('/flock/limit/set', 'admin', 'Set the limit of a Flock', { flock_id, limit }, Limit, {
    settings: 'flock',
    example: { params: { flock_id: '{flock_id}', limit: 20 } },
  }),
  enable: post('/flock/limit/enable', 'admin', 'Switch the limit of a Flock on', { flock_id }, Limit, {
    settings: 'flock',
    example,
  }),
  disable: post('/flock/limit/disable', 'admin', 'Switch the limit of a Flock off', { flock_id }, Limit, {
    settings: 'flock',
    example,
  }),
})
