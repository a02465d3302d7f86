// Extension: how many registered Birds a Flock may have.
import Type from 'typebox'
import { flag, flock_id } from '../fields.ts'
import { get, group, post } from '../operation.ts'

const limit = Type.Integer({ minimum: 0, description: 'Maximum number of registered Birds' })
const Limit = Type.Object({ limit, is_enabled: flag })
const example = { flock_id: '{flock_id}' }

export const flockLimits = group('Flock limits', 'How many registered Birds a Flock may have.', {
  read: get('/flock/limit/get', 'read-only', 'flock', 'Read the limit of a Flock', { flock_id }, Limit, {
    example,
  }),
  set: post('/flock/limit/set', 'admin', 'flock', 'Set the limit of a Flock', { flock_id, limit }, Limit, {
    settings: 'flock',
    example: { flock_id: '{flock_id}', limit: 20 },
  }),
  enable: post('/flock/limit/enable', 'admin', 'flock', 'Enable the limit of a Flock', { flock_id }, Limit, {
    settings: 'flock',
    example,
  }),
  disable: post(
    '/flock/limit/disable',
    'admin',
    'flock',
    'Disable the limit of a Flock',
    { flock_id },
    Limit,
    {
      settings: 'flock',
      example,
    },
  ),
})
