// Extension: receivers of alerts at Some name.
import Type from 'typebox'
import { flag, flock_id, secret, text } from '@rookery/contract/fields.ts'
import { get, group, Nothing, post } from '@rookery/contract/operation.ts'

const url = secret(
  Type.String({ description: 'URL that Some name gives for a channel', maxLength: 2048 }),
  'but its host',
)
const Flock = { flock_id }
const One = { flock_id, url }
const flock = { flock_id: 'flock:default' }
const one = { ...flock, url: 'https://some-name.example.com/in/a1b2' }
const path = '/flock/settings/webhooks/some-name'

export const someName = group('Some name', 'Receivers of the alerts of a Flock at Some name.', {
  add: post(`${path}/add`, 'admin', 'Add a receiver at Some name', One, Nothing, {
    settings: 'flock',
    example: { params: one },
  }),
  list: get(
    path,
    'read-only',
    'List the receivers at Some name of a Flock',
    Flock,
    Type.Object({
      some_name_webhooks: Type.Array(text, { description: 'URLs; hosts for callers who are no admins' }),
      webhooks_enabled: flag,
    }),
    { example: { params: flock } },
  ),
  remove: post(`${path}/remove`, 'admin', 'Remove a receiver at Some name', One, Nothing, {
    settings: 'flock',
    example: { params: one },
  }),
  test: post(
    `${path}/test`,
    'admin',
    'Send a test alert to a receiver at Some name',
    One,
    Type.Object({ webhook: text }),
    { example: { params: one } },
  ),
})
