// 4.4, and as an extension: which alerts of a Bird are sent, and how people describe it.
import Type from 'typebox'
import { flag, node_id, secret, text, withDefault } from '../fields.ts'
import { group, Nothing, post } from '../operation.ts'
import { DetailedBird } from '../records/bird.ts'

const clearable = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description: `${description}; a blank clears it` }))
const cloud = (description: string) => clearable(255, description)

/** Of a mirror. */
const MAX_URL_LENGTH = 2_000

const OneBird = Type.Object({
  device: Type.Object({
    ...DetailedBird.properties,
    ignore_notifications_reconnect: Type.String({
      description: 'True or False: whether reconnects are not sent to receivers',
    }),
    note: text,
  }),
})

export const birdOperations = group(
  'Bird operations',
  'Reboot Birds, describe them, and choose which of their alerts are sent.',
  {
    reboot: post(
      '/device/reboot',
      'admin',
      'flock',
      'Reboot a Bird; an offline one reboots after it reconnects',
      { node_id },
      Nothing,
      { example: { node_id: '{node_id}' } },
    ),
    update: post(
      '/device/update',
      'admin',
      'flock',
      'Update the software of a Bird; an offline one is updated after it reconnects',
      {
        node_id,
        update_tag: Type.String({ maxLength: 64, description: 'Tag of an update: 32 hex digits' }),
        req_len: withDefault(
          Type.Integer({ minimum: 32, maximum: 1_000, description: 'Length of a query, for a link by DNS' }),
          400,
        ),
        use_console_url: withDefault(
          { ...flag, description: 'Fetch it from the console by HTTP: faster, where the Bird reaches it so' },
          false,
        ),
        url: Type.Optional(
          secret(
            Type.String({
              maxLength: MAX_URL_LENGTH,
              description:
                'Fetch it from this http or https address of a mirror, which the Bird must reach; no redirect is followed',
            }),
            'but its host',
          ),
        ),
      },
      Type.Object({ bundle_tag: Type.String({ description: 'Id of the update in bundles/list' }) }),
      { example: { node_id: '{updatable_node_id}', update_tag: '{update_tag}' } },
    ),
    notifications: post(
      '/device/notifications',
      'admin',
      'flock',
      'Choose which alerts of a Bird are sent; what is not given stays as it is',
      {
        node_id,
        ignore_notifications_general: Type.Optional(
          Type.Boolean({ description: 'Send no alert of its incidents' }),
        ),
        ignore_notifications_disconnect: Type.Optional(
          Type.Boolean({ description: 'Send no alert when it disconnects' }),
        ),
        ignore_notifications_reconnect: Type.Optional(
          Type.Boolean({ description: 'Send no alert when it reconnects' }),
        ),
      },
      OneBird,
      {
        settings: 'device',
        example: { node_id: '{node_id}', ignore_notifications_disconnect: true },
      },
    ),
    describe: post(
      '/device/describe',
      'admin',
      'flock',
      'Describe a Bird: name, location and the like; what is not given stays as it is',
      {
        node_id,
        name: Type.Optional(Type.String({ maxLength: 255, description: 'Name, on one line' })),
        story: withDefault(
          {
            ...flag,
            description:
              'Extension: the new name becomes the name of the machine that decoys show, too (device.host_name); later names do not',
          },
          false,
        ),
        description: clearable(1_000, 'Description of the Bird'),
        location: clearable(1_000, 'Where the Bird is'),
        note: clearable(10_000, 'Free text for people'),
        cloud_project: cloud('Cloud project of the Bird'),
        cloud_zone: cloud('Cloud zone of the Bird'),
        instance_id: cloud('Cloud instance of the Bird'),
        region_id: cloud('Cloud region of the Bird'),
        subnet: cloud('Cloud network of the Bird'),
      },
      OneBird,
      {
        settings: 'device',
        example: { node_id: '{node_id}', name: 'nas-02', location: 'Berlin, third floor', note: 'Rack 7' },
      },
    ),
  },
)
