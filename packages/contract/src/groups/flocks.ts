// Extension: groups of Birds and tokens.
import Type from 'typebox'
import { flock_id, node_id, text } from '../fields.ts'
import { get, group, post } from '../operation.ts'
import { readFlock } from '../switches.ts'

const name = Type.String({
  description: 'Name of the Flock',
  maxLength: 100,
  says: {
    empty: 'Flock name cannot be empty.',
    tooLong: 'Flock name longer than maximum (100 characters).',
  },
})
const OneFlock = Type.Object({ flock_id: text })

export const flocks = group('Flocks', 'Groups of Birds and tokens.', {
  create: post('/flock/create', 'admin', 'console', 'Create a Flock', { name }, OneFlock, {
    example: { name: 'Berlin' },
  }),
  rename: post('/flock/rename', 'admin', 'flock', 'Rename a Flock', { flock_id, name }, OneFlock, {
    settings: 'flock',
    example: { flock_id: 'flock:default', name: 'Headquarters' },
  }),
  remove: post(
    '/flock/delete',
    'admin',
    'flock',
    'Delete a Flock without Birds and tokens',
    { flock_id },
    OneFlock,
    {
      example: { flock_id: '{flock_id}' },
    },
  ),
  move: post(
    '/flock/move',
    'admin',
    'flock',
    'Move a registered Bird into another Flock',
    { node_id, flock_id },
    OneFlock,
    { settings: 'device', example: { node_id: '{node_id}', flock_id: '{flock_id}' } },
  ),
  members: readFlock('/flock/list', 'List the Birds of a Flock', Type.Object({ sensors: Type.Array(text) })),
  list: get(
    '/flocks/list',
    'read-only',
    'flock',
    'List the Flocks',
    {},
    Type.Object({ flocks: Type.Record(text, text) }),
  ),
})
