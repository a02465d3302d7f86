// 4.4, and as an extension: whose alerts are told, and what people know of a Bird.
import Type from 'typebox'
import { node_id, text } from '../fields.ts'
import { group, Nothing, post } from '../operation.ts'
import { DetailedBird } from '../records/bird.ts'

const words = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description: `${description}; a blank empties it` }))
const cloud = (description: string) => words(255, description)

const OneBird = Type.Object({
  device: Type.Object({
    ...DetailedBird.properties,
    ignore_notifications_reconnect: Type.String({
      description: 'True or False: whether its returns are not told to receivers',
    }),
    note: text,
  }),
})

export const birdOperations = group('Bird operations', 'What a Bird is told to do, and what is told of it.', {
  reboot: post(
    '/device/reboot',
    'admin',
    'Reboot a Bird; one that is offline reboots when it comes back',
    { node_id },
    Nothing,
    { example: { params: { node_id: '{node_id}' } } },
  ),
  notifications: post(
    '/device/notifications',
    'admin',
    'Say which alerts of a Bird are told; what is not given stays',
    {
      node_id,
      ignore_notifications_general: Type.Optional(
        Type.Boolean({ description: 'Tell no receiver of its incidents, whatever they are' }),
      ),
      ignore_notifications_disconnect: Type.Optional(
        Type.Boolean({ description: 'Tell no receiver of its outages' }),
      ),
      ignore_notifications_reconnect: Type.Optional(
        Type.Boolean({ description: 'Tell no receiver of its returns' }),
      ),
    },
    OneBird,
    {
      settings: 'device',
      example: { params: { node_id: '{node_id}', ignore_notifications_disconnect: true } },
    },
  ),
  describe: post(
    '/device/describe',
    'admin',
    'Say what a Bird is and where it stands; what is not given stays',
    {
      node_id,
      name: Type.Optional(Type.String({ maxLength: 255, description: 'One line' })),
      description: words(1_000, 'What it is'),
      location: words(1_000, 'Where it stands'),
      note: words(10_000, 'Free text'),
      cloud_project: cloud('Cloud project that it runs in'),
      cloud_zone: cloud('Cloud zone that it runs in'),
      instance_id: cloud('Cloud instance that it is'),
      region_id: cloud('Cloud region that it runs in'),
      subnet: cloud('Cloud network that it stands in'),
    },
    OneBird,
    {
      settings: 'device',
      example: {
        params: { node_id: '{node_id}', name: 'nas-02', location: 'Berlin, third floor', note: 'Rack 7' },
      },
    },
  ),
})
