// Extension: receivers of alerts at Some name, over TCP.
import Type from 'typebox'
import { flock_id, text } from '@rookery/contract/fields.ts'
import { group, Nothing, post } from '@rookery/contract/operation.ts'
import { Attention, AttentionFields } from '@rookery/contract/records/attention.ts'
import { changeFlock, readFlock, theDefault } from '@rookery/contract/switches.ts'

const host = Type.String({ description: 'Domain name or IP address', maxLength: 253 })
const port = Type.Integer({ description: 'Port of TCP', minimum: 1, maximum: 65_535 })
const webhook_id = Type.String({ maxLength: 64 })
const example = { ...theDefault, host: 'some-name.example.com', port: 9_000 }
const path = '/flock/settings/webhooks/some-name'

export const someName = group('Some name', 'Receivers of the alerts of a Flock at Some name.', {
  add: post(
    `${path}/add`,
    'admin',
    'flock',
    'Add a receiver at Some name',
    { flock_id, host, port, ...Attention },
    Type.Object({ webhook_id: text }),
    { settings: 'flock', example },
  ),
  list: readFlock(
    `${path}/list`,
    'List the receivers at Some name of a Flock',
    Type.Object({
      some_name: Type.Array(Type.Object({ webhook_id: text, host, port, ...AttentionFields }), {
        description: 'The receivers, by age',
      }),
    }),
  ),
  remove: changeFlock(
    `${path}/remove`,
    'Remove a receiver at Some name',
    { flock_id, webhook_id },
    { webhook_id: '{some_name_id}' },
  ),
  test: post(
    `${path}/test`,
    'admin',
    'flock',
    'Send a test alert to a receiver at Some name, before it is added or as it is',
    {
      flock_id,
      webhook_id: Type.Optional(webhook_id),
      host: Type.Optional(host),
      port: Type.Optional(port),
    },
    Nothing,
    { example },
  ),
})
